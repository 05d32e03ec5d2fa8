import Link from 'next/link'

export default function BicyclesPage() {
  return (
    <>
      <h1>Bicycles</h1>
      <Link href="/prices">Prices</Link> <Link href="/checkout">Checkout</Link>
    </>
  )
}
