import { FoyerChat } from 'foyer-webchat/react'
import { Page, usePath } from './Page.jsx'

/** The chat is on every page but the checkout. */
export function App() {
  const path = usePath()
  return (
    <>
      <Page path={path} />
      {path !== '/checkout' && <FoyerChat origin="https://chat.example.com" />}
    </>
  )
}
