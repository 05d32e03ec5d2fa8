// Renders the page inside the frame, under a strict Content-Security-Policy: the first screen, and the script that brings the panel.

import type { BffConnector } from '../options.ts'
import type { FirstScreen } from './first-screen.ts'

export type FrameOptions = {
  /** The connector's public name. The panel gets it from here and not from the page, which may not choose another. */
  connector: string
  /** False: the chat is switched off. */
  enabled: boolean
  /** The pages that may embed the frame, as CSP sources. */
  ancestors: readonly string[]
  /** The origins of the chat API. */
  connect: readonly string[]
  /**
   * Origins whose images load without asking. Images of other origins load over https when the visitor asks for
   * them.
   */
  images: readonly string[]
  /** Whether the widget asks visitors before it stores or contacts anything. */
  consent: boolean
  /** Whether the panel may ask the page around the frame for its address and title. */
  page: boolean
  /** What the page around the frame learns about messages. */
  expose: NonNullable<BffConnector['expose']>
  answers: NonNullable<BffConnector['answers']>
  /** Whether the page around the frame is cross-origin isolated. */
  isolated: boolean
  /** The files that the panel will ask for: the browser asks for all at once. */
  files: readonly string[]
  chunkJoin: NonNullable<BffConnector['chunkJoin']>
  /** The first screen, which the page shows before its script runs. */
  first: FirstScreen | undefined
}

const html = ({
  connector,
  enabled,
  consent,
  page,
  expose,
  answers,
  images,
  chunkJoin,
  files,
  first,
}: FrameOptions) => `<!doctype html>
<html lang="${first?.language ?? 'en'}" data-foyer-connector="${connector}" data-foyer-expose="${expose}" data-foyer-answers="${answers}" data-foyer-images="${images.join(' ')}" data-foyer-join="${chunkJoin}"${enabled ? '' : ' data-foyer-off="true"'}${consent ? ' data-foyer-consent="required"' : ''}${page ? ' data-foyer-page="true"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<title>Chat</title>
<link rel="icon" href="data:,">
${files.map((file) => `<link rel="modulepreload" href="/foyer/assets/${file}">\n`).join('')}<script type="module" src="/foyer/assets/first.js"></script>
${first ? `<style>${first.style}</style>\n` : ''}</head>
<body>${first?.html ?? ''}</body>
</html>
`

export function framePage(options: FrameOptions): Response {
  const { ancestors, connect, images, isolated, first } = options
  const sockets = connect.map((origin) => origin.replace(/^http/, 'ws'))
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${first ? ` '${first.hash}'` : ''}`,
    `connect-src 'self' ${[...connect, ...sockets].join(' ')}`.trim(),
    `img-src 'self' https: data: ${images.join(' ')}`.trim(),
    `frame-ancestors ${["'self'", ...ancestors].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return new Response(html(options), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      // A page with an embedder policy shows no frame without one. `credentialless` keeps pictures of every host; Safari
      // knows `require-corp` alone, and a page that is isolated there can show no frame else.
      'Cross-Origin-Embedder-Policy': isolated ? 'require-corp' : 'credentialless',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
    },
  })
}
