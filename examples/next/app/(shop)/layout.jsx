import { FoyerChat } from 'foyer-webchat/react'

/** The chat stays while the pages of the shop change. The checkout is outside. */
export default function ShopLayout({ children }) {
  return (
    <>
      {children}
      <FoyerChat teaser="Can I help?" />
    </>
  )
}
