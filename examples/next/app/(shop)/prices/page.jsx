import Link from 'next/link'

export default function PricesPage() {
  return (
    <>
      <h1>Prices</h1>
      <Link href="/">Bicycles</Link>
    </>
  )
}
