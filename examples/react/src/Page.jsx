import { useSyncExternalStore } from 'react'
import { TalkToUs } from './TalkToUs.jsx'

function listen(changed) {
  window.addEventListener('hashchange', changed)
  return () => window.removeEventListener('hashchange', changed)
}

/** The path behind the address's `#`. */
export const usePath = () => useSyncExternalStore(listen, () => window.location.hash.slice(1) || '/')

export const Page = ({ path }) => (
  <main>
    <a href="#/">Bicycles</a> <a href="#/checkout">Checkout</a>
    <h1>{path === '/checkout' ? 'Checkout' : 'Bicycles'}</h1>
    <TalkToUs />
  </main>
)
