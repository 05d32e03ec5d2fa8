export const metadata = { title: 'Larkspur Cycles', icons: 'data:,' }

export default function RootLayout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
