// An app in React with the chat, in StrictMode: a page of react.test.ts, which a server may have drawn.

import { createElement, Fragment, type ReactElement, StrictMode, useEffect, useState } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { FoyerChat, type FoyerChatProps, useFoyer } from '../../src/embed/react/index.ts'

/** Options of the chat, and a text that the app draws in it. */
export type Shown = Pick<
  FoyerChatProps,
  'origin' | 'layout' | 'isolation' | 'position' | 'locale' | 'className'
> & { readonly heading?: string }

type Controls = { show(shown: Shown | undefined): void; heard: [type: string, role: unknown][] }
const page = globalThis as unknown as Controls

function TalkToUs(): ReactElement {
  const { open, state } = useFoyer()
  return createElement(
    'p',
    null,
    createElement('button', { type: 'button', onClick: open }, 'Talk to us'),
    createElement('output', null, state.open ? `open, ${state.status}` : 'closed'),
  )
}

const make = (name: string, text: string): Node =>
  Object.assign(document.createElement(name), { textContent: text })

function Shop({ first }: { first: Shown | undefined }): ReactElement {
  const [shown, show] = useState(first)
  useEffect(() => {
    page.show = show
  }, [])
  const { heading, ...options } = shown ?? {}
  const chat: FoyerChatProps = {
    ...options,
    // Written inline, as apps do.
    words: { placeholder: 'Ask about your bicycle' },
    onMessage: ({ role }) => page.heard.push([heading ?? 'message', role]),
    ...(heading && {
      render: {
        header: () => make('h2', heading),
        message: ({ role }) => (role === 'visitor' ? make('b', heading) : undefined),
      },
    }),
  }
  return createElement(Fragment, null, createElement(TalkToUs), shown && createElement(FoyerChat, chat))
}

export const App = ({ first }: { first?: Shown | undefined }): ReactElement =>
  createElement(StrictMode, null, createElement(Shop, { first }))

/** Runs the app in the element `root`, or takes up there what a server has drawn. */
export function run(first: Shown | undefined): void {
  page.heard = []
  const root = document.querySelector('#root') as HTMLElement
  const app = createElement(App, { first })
  if (root.firstElementChild) hydrateRoot(root, app)
  else createRoot(root).render(app)
}
