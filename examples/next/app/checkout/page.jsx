import Link from 'next/link'

export default function CheckoutPage() {
  return (
    <>
      <h1>Checkout</h1>
      <Link href="/">Bicycles</Link>
    </>
  )
}
