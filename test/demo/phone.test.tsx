// What the demo's phone shows of what an agent sends: its addresses pass the widget's own filter.

import { cleanup, fireEvent, getByRole, render } from '@testing-library/preact'
import { afterEach, describe, expect, it } from 'vitest'
import { PhoneScreen, type Screen } from '../../demo/phone/screen.tsx'

afterEach(cleanup)

type Rich = NonNullable<Screen['messages'][number]['rich']>

function shown(rich: Partial<Rich>): Element {
  const message = {
    id: 'm1',
    direction: 'in' as const,
    channel: 'rcs' as const,
    with: '+15005550006',
    text: 'Look',
    at: 1_800_000_000_000,
    rich: { sender: 'MG-1', text: 'Look', cards: [], suggestions: [], callActions: [], ...rich },
  }
  const screen = { device: { rcs: true }, messages: [message] } as unknown as Screen
  const { container } = render(
    <PhoneScreen
      number="+15005551001"
      screen={screen}
      notice={undefined}
      trouble={undefined}
      onWrite={async () => true}
    >
      <p />
    </PhoneScreen>,
  )
  return container
}
const image = (content_url: string) => ({
  cards: [{ content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE' as const, content_url, title: 'A picture' }],
})
const preview = (preview_image_url: string) => ({
  cards: [
    {
      content_type: 'ATTACHMENT_CONTENT_TYPE_URL' as const,
      content_url: 'https://example.com/',
      preview_image_url,
    },
  ],
})

describe('a card on the phone', () => {
  it.each([
    ['javascript:alert(1)'],
    ['data:text/html,<script>alert(1)</script>'],
    ['blob:https://example.com/1'],
    ['file:///etc/passwd'],
    ['tel:+15005550006'],
    ['mailto:a@example.com'],
    ['/desk.html'],
    ['https://user:word@example.com/a.png'],
    [''],
  ])('shows no picture from %j', (url) => {
    expect(shown(image(url)).querySelector('img')).toBeNull()
    cleanup()
    expect(shown(preview(url)).querySelector('img')).toBeNull()
  })

  it.each([[`${location.origin}/a.png`], ['data:image/svg+xml,<svg/>']])('shows a picture from %s', (url) => {
    expect(shown(image(url)).querySelector('img')?.getAttribute('src')).toBe(url)
    cleanup()
    expect(shown(preview(url)).querySelector('img')?.getAttribute('src')).toBe(url)
  })

  it.each([
    ['https://example.com/a.png', 'example.com'],
    ['http://127.0.0.1:4700/a.png', '127.0.0.1:4700'],
    [`http://${location.hostname}.example.com/a.png`, `${location.hostname}.example.com`],
  ])('loads the picture %s of another host once the tester asks for it', (url, host) => {
    for (const rich of [image(url), preview(url)]) {
      const phone = shown(rich)
      expect(phone.querySelector('img')).toBeNull()
      fireEvent.click(getByRole(phone as HTMLElement, 'button', { name: new RegExp(`picture.*${host}`) }))
      expect(phone.querySelector('img')?.getAttribute('src')).toBe(url)
      expect(document.activeElement).toBe(phone.querySelector('img'))
      cleanup()
    }
  })
})

describe('a phone button on the phone', () => {
  it.each([
    ['+1 (500) 555-0006', 'tel:+15005550006'],
    ['+1500;ext=1?javascript:1', 'tel:+150011'],
    ['*21#', 'tel:*21#'],
  ])('dials only digits: %s', (contact_number, href) => {
    const link = shown({ callActions: [{ title: 'Call', contact_number }] }).querySelector('a.call')
    expect(link?.getAttribute('href')).toBe(href)
  })
})
