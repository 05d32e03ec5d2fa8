// Draws the first screen into the frame's page: header, skeleton and field, in the visitor's language, before any script. What the page asks
// for in the frame's address only changes looks, and what does not fit is ignored. The panel goes on with these very elements
// (`ui/panel/mount.tsx`): they stand where its own would, with nothing between them.

import { html } from 'hono/html'
import { languagesOf } from '../../protocol/index.ts'
import type { Asset, Assets } from './assets.ts'

/** The content of `first.json`, which the build writes. */
type First = {
  style: string
  words: Record<string, Record<FirstWord, string>>
}
type FirstWord =
  | 'direction'
  | 'chat'
  | 'closeChat'
  | 'conversation'
  | 'loading'
  | 'message'
  | 'placeholder'
  | 'send'
  | 'unavailable'

export type FirstScreen = {
  /** For the page's `<style>`. */
  style: string
  /** The style's hash, for the policy. */
  hash: string
  language: string
  html: string
}

/** The longest name of an agent, in characters. */
const MAX_NAME = 80

/** The files of a release belong together, so they are read and hashed once. */
const known = new WeakMap<Asset, Promise<First & { hash: string }>>()

/** Undefined where the build's file cannot be read: the frame is empty then until its script runs. `hasField`: the visitor may write at once. */
export async function firstScreen(
  assets: Assets | undefined,
  asked: URLSearchParams,
  hasField: boolean,
): Promise<FirstScreen | undefined> {
  const first = await readFirst(assets)
  if (!first) return undefined
  const { style, hash, words } = first
  const language = languagesOf(asked.get('locale') ?? '').find((tag) => Object.hasOwn(words, tag)) ?? 'en'
  return {
    style,
    hash,
    language,
    html: `${await draw(asked, words[language] as Record<FirstWord, string>, hasField)}`,
  }
}

async function readFirst(assets: Assets | undefined): Promise<(First & { hash: string }) | undefined> {
  try {
    const asset = await assets?.('first.json')
    if (!asset) return undefined
    const reading = known.get(asset) ?? read(asset)
    known.set(asset, reading)
    return await reading
  } catch {
    return undefined
  }
}

async function read(asset: Asset): Promise<First & { hash: string }> {
  const first: First = JSON.parse(new TextDecoder().decode(asset.body))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(first.style))
  return { ...first, hash: `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}` }
}

/**
 * Nothing stands between two elements, not even a space. `autocomplete`: else browsers put into the field what stood there before a reload, which
 * the panel does by itself, and not for the next visitor.
 */
function draw(asked: URLSearchParams, say: Record<FirstWord, string>, hasField: boolean) {
  const is = (name: string, value: string) => asked.get(name) === value
  const classes = ['foyer', is('theme', 'dark') && 'dark', is('phone', 'true') && 'phone']
  const name = [...(asked.get('name') ?? '')].slice(0, MAX_NAME).join('')
  const who = name ? html`<h2 class="name"><bdi>${name}</bdi></h2>` : html`<i></i>`
  const close = html`<button type="button" class="round" aria-label="${say.closeChat}">${icon('m5 7.75 5 5 5-5')}</button>`
  const header = html`<header class="header"><span class="avatar blank" aria-hidden="true"></span><div class="who">${who}</div>${is('close', 'none') || close}</header>`
  const skeleton = html`<div class="skeleton" role="img" aria-label="${say.loading}"><i></i><i></i></div>`
  const log = html`<div class="scroll" tabindex="0"><div class="log welcome" role="log" aria-live="off" aria-label="${say.conversation}"><div class="hello"><span class="avatar large blank" aria-hidden="true"></span></div>${skeleton}</div></div>`
  const field = html`<div class="grow" data-text=""><textarea rows="1" autocomplete="off" aria-label="${say.message}" placeholder="${say.placeholder}" enterkeyhint="${is('enter', 'line') ? 'enter' : 'send'}"></textarea></div>`
  const send = html`<button type="submit" class="send" aria-label="${say.send}" aria-disabled="true">${icon('M10 15.5v-11M5.25 9.25 10 4.5l4.75 4.75')}</button>`
  const foot = html`<div class="foot"><div role="status" data-unavailable="${say.unavailable}"></div><form class="composer">${field}${send}</form></div>`
  return html`<div class="${classes.filter(Boolean).join(' ')}" dir="${say.direction}"><section class="content" role="dialog" aria-label="${say.chat}" tabindex="-1">${is('header', 'none') || header}${log}${hasField && is('first', 'field') && foot}</section></div>`
}

const icon = (path: string) =>
  html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${path}"></path></svg>`
