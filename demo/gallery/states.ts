// Every state of the panel and of what stands around it, from frozen data. The firm and its people are invented.

import type { Entry, OutboxItem } from '../../src/chat/index.ts'
import type { Decision, Suggestion } from '../../src/protocol/index.ts'
import { createTranscript, type Frozen, MORNING } from './chat.ts'

export type State = {
  /** In which part of the index. */
  group: string
  /** The chat's content; without it the state has no chat. */
  chat?: Frozen
  /** Options, as a page would give them. */
  options?: Readonly<Record<string, unknown>>
  /** Which steps stand before the chat. */
  prechat?: 'consent' | 'closed' | 'home' | 'form'
  /** Draws parts of the page itself, beside the launcher. */
  page?: 'launcher' | 'unread' | 'preview' | 'teaser' | 'trouble'
  /** Done to the panel once it stands: clicks what matches, or writes into it. */
  steps?: readonly (readonly [selector: string, text?: string])[]
}

const GREETING =
  'Hello! I’m Fern, the assistant of **Larkspur Cycles**. Ask me about bicycles, repairs or an order.'
const HELPS = ['Where is my order?', 'Which size do I need?', 'Book a repair', 'Opening hours']
const suggest = (texts: readonly string[]): Suggestion[] => texts.map((message_text) => ({ message_text }))
const greeted = () => createTranscript().agent(GREETING)
const asked = () => greeted().visitor('Where is my order?')
const image = (title: string, hue: number) => ({
  content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE' as const,
  content_url: picture(hue),
  title,
})
const link = (title: string, path: string, action = 'Read more') => ({
  content_type: 'ATTACHMENT_CONTENT_TYPE_URL' as const,
  content_url: `https://example.com/${path}`,
  title,
  call_to_action_text: action,
})
/** A landscape of two hills, drawn here so that nothing is fetched. */
const picture = (hue: number) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200"><rect width="320" height="200" fill="hsl(${hue} 45% 82%)"/><circle cx="250" cy="56" r="26" fill="hsl(${hue + 40} 70% 70%)"/><path d="M0 150q70-70 150-20t170-30v100H0z" fill="hsl(${hue} 30% 45%)"/><path d="M0 175q90-50 180-10t140-20v55H0z" fill="hsl(${hue} 35% 32%)"/></svg>`,
  )}`
const waits = (text: string, state: OutboxItem['state']): OutboxItem => ({
  id: text,
  text,
  at: MORNING,
  state,
})
const long = (): readonly Entry[] => {
  const lines = greeted()
  for (let index = 1; index <= 60; index++)
    lines
      .visitor(`How much is bicycle number ${index}?`)
      .agent(`Bicycle number ${index} costs **€ ${600 + index * 10}**, with lights and a lock.`)
  return lines.entries
}
const CODE = `Put this line on your page:

\`\`\`html
<script src="https://chat.example.com/foyer.js" async></script>
\`\`\`

Then call \`Foyer.open()\` from a button of yours.`
const TABLE = `These three are in stock in your size:

| Model | Frame | Weight | Price |
| :-- | :-- | --: | --: |
| Fern City | aluminium | 14.2 kg | € 690 |
| Heron Tour | steel | 15.8 kg | € 940 |
| Swift Gravel | carbon | 9.1 kg | € 2,390 |

All of them come with *two years* of free service.`
const LISTS = `## Before you ride

1. Check the tyres
   - front: 4.5 bar
   - rear: 5 bar
2. Check the brakes
3. Set the saddle

- [x] Lights charged
- [ ] Lock packed

> The first service is free within eight weeks.

More at https://example.com/first-ride or [in the handbook](https://example.com/handbook).`
const HOURS = { hours: 'Mon-Fri 09:00-17:00; Sat 10:00-14:00', timeZone: 'UTC' }
const SITE = {
  agentName: 'Fern',
  greeting: 'How can we help?',
  disclaimer: 'Conversations are kept for 30 days.',
  privacyUrl: 'https://example.com/privacy',
  termsUrl: 'https://example.com/terms',
}
const DISCLAIMER = JSON.stringify({
  en: 'Conversations are kept for 30 days. See our [privacy policy](https://example.com/privacy) and [terms](https://example.com/terms).',
  de: 'Gespräche werden 30 Tage gespeichert. Es gelten unsere [Datenschutzbestimmungen](https://example.com/datenschutz).',
  ar: 'تُحفظ المحادثات لمدة 30 يومًا. اطّلع على [سياسة الخصوصية](https://example.com/privacy).',
})
const FORM = [
  { label: 'Name', type: 'text', required: true, autocomplete: 'name' },
  { label: 'Email', type: 'email', required: true },
  { label: 'Phone', type: 'tel' },
  { label: 'What is it about?', type: 'select', options: ['An order', 'A repair', 'Something else'] },
  { label: 'Tell me about new bicycles', type: 'checkbox' },
]
const STARTERS = ['Where is my order?', 'Which size do I need?', 'Book a repair', 'When are you open?']
const asksToCancel = (decision?: Decision) =>
  greeted()
    .visitor('Please cancel my repair')
    .agent('Cancel the repair on Thursday?\n\nHeron Tour, Thursday at 10:00. There is no fee.', {
      confirm: {
        id: 'k2',
        title: 'Cancel the repair on Thursday?',
        summary: 'Heron Tour, Thursday at 10:00. There is no fee.',
        confirm: 'Cancel the repair',
        cancel: 'Keep it',
        decision,
      },
    })
const decided = (decision: Decision) =>
  asksToCancel(decision).visitor('Cancel the repair').agent('Done. The repair on Thursday is cancelled.')
const waiting = () => asked().visitor('I want to talk to a person')
const taken = () =>
  waiting()
    .notice('live-joined', { name: 'Sarah' })
    .live('Hi, this is Sarah. Let me look at your order.')
    .visitor('Thank you! It is number 4711.')
    .live('Found it: it left our workshop this morning.')
    .live('You will have it **on Thursday**.')

export const STATES: Readonly<Record<string, State>> = {
  connecting: { group: 'Connection', chat: { status: 'connecting', agent: { live: false } } },
  'connecting-long': {
    group: 'Connection',
    chat: { status: 'connecting', agent: { live: false }, notice: { kind: 'reconnecting' } },
  },
  reconnecting: {
    group: 'Connection',
    chat: {
      status: 'reconnecting',
      transcript: asked().entries,
      notice: { kind: 'reconnecting' },
    },
  },
  offline: {
    group: 'Connection',
    chat: {
      status: 'offline',
      transcript: greeted().entries,
      outbox: [waits('Where is my order?', 'queued'), waits('It is number 4711', 'queued')],
      notice: { kind: 'offline' },
    },
  },
  refused: {
    group: 'Connection',
    chat: {
      status: 'unavailable',
      agent: { live: false },
      notice: { kind: 'unavailable', cause: 'refused' },
    },
  },
  busy: {
    group: 'Connection',
    chat: { status: 'connecting', transcript: greeted().entries, notice: { kind: 'busy' } },
  },
  'gave-up': {
    group: 'Connection',
    chat: {
      status: 'unavailable',
      transcript: asked().entries,
      notice: { kind: 'unavailable', cause: 'gave-up' },
    },
  },
  welcome: {
    group: 'Conversation',
    chat: { transcript: greeted().entries, suggestions: suggest(HELPS) },
  },
  'suggestions-folded': {
    group: 'Conversation',
    chat: {
      transcript: greeted().entries,
      suggestions: suggest([
        ...HELPS,
        'A bell',
        'A basket for a dog of medium size',
        'Returns',
        'Leasing',
        'Test ride',
      ]),
    },
  },
  'suggestions-unfolded': {
    group: 'Conversation',
    chat: {
      transcript: greeted().entries,
      suggestions: suggest([
        ...HELPS,
        'A bell',
        'A basket for a dog of medium size',
        'Returns',
        'Leasing',
        'Test ride',
      ]),
    },
    steps: [['.chip.more']],
  },
  thinking: {
    group: 'Conversation',
    chat: { transcript: asked().entries, typing: { role: 'agent' }, stoppable: true },
  },
  streaming: {
    group: 'Conversation',
    chat: {
      transcript: greeted()
        .visitor('What should I check before I ride?')
        .agent(`${LISTS.slice(0, 112)}\n\nRead [the hand`, { complete: false }).entries,
      typing: { role: 'agent' },
      stoppable: true,
    },
  },
  conversation: {
    group: 'Conversation',
    chat: {
      transcript: greeted()
        .visitor('Hi')
        .visitor('My order 4711 has not arrived yet. Do you know where it is?')
        .agent('Order 4711 left our workshop this morning. It arrives **on Thursday between 9 and 12**.')
        .visitor('👍')
        .later(12)
        .visitor('Can I change the address?')
        .agent('Yes, until noon today. Which address should it go to?').entries,
    },
  },
  long: { group: 'Conversation', chat: { transcript: long() } },
  markdown: {
    group: 'Conversation',
    chat: { transcript: greeted().visitor('What should I check before I ride?').agent(LISTS).entries },
  },
  code: {
    group: 'Conversation',
    chat: { transcript: greeted().visitor('How do I embed the chat?').agent(CODE).entries },
  },
  table: {
    group: 'Conversation',
    chat: { transcript: greeted().visitor('Which ones do you have in M?').agent(TABLE).entries },
  },
  image: {
    group: 'Conversation',
    chat: {
      transcript: greeted()
        .visitor('What does it look like?')
        .agent('This is the Heron Tour on its home road:', { attachments: [image('Heron Tour', 150)] })
        .entries,
    },
  },
  'image-asks': {
    group: 'Conversation',
    chat: {
      transcript: greeted().agent('Here is a picture:', {
        attachments: [
          { ...image('Heron Tour', 150), content_url: 'https://images.example.com/heron-tour.jpg' },
        ],
      }).entries,
    },
  },
  confirm: {
    group: 'Conversation',
    chat: { transcript: asksToCancel().entries, question: { key: 'k2', chosen: undefined } },
  },
  confirmed: { group: 'Conversation', chat: { transcript: decided('confirm').entries } },
  cards: {
    group: 'Conversation',
    chat: {
      transcript: greeted().agent('These pages may help:', {
        attachments: [link('Find the right frame size', 'size', 'Measure now')],
        callActions: [{ title: 'Call the workshop', contact_number: '+15005550006' }],
      }).entries,
    },
  },
  carousel: {
    group: 'Conversation',
    chat: {
      transcript: greeted().agent('Three for the city:', {
        attachments: [
          { ...link('Fern City', 'fern-city', 'See it'), preview_image_url: picture(150) },
          { ...link('Heron Tour', 'heron-tour', 'See it'), preview_image_url: picture(210) },
          { ...link('Swift Gravel', 'swift-gravel', 'See it'), preview_image_url: picture(20) },
        ],
      }).entries,
    },
  },
  'long-words': {
    group: 'Conversation',
    chat: {
      agent: { name: 'Donaudampfschifffahrtsgesellschaftskapitän', live: false },
      transcript: greeted()
        .visitor('Fahrradrahmengrößenberechnungstabellenerläuterung?')
        .agent(`See https://example.com/${'very-long-path/'.repeat(12)} and ${'W'.repeat(120)}.`).entries,
      suggestions: suggest([
        'Rechtsschutzversicherungsgesellschaften und ihre Bedingungen',
        'Kraftfahrzeughaftpflichtversicherung',
        'مرحبا Hello مرحبا',
      ]),
    },
  },
  mixed: {
    group: 'Conversation',
    chat: {
      transcript: createTranscript()
        .agent('مرحبًا! أنا مساعد **Larkspur Cycles**. كيف يمكنني مساعدتك؟')
        .visitor('أين طلبي رقم 4711؟')
        .agent('طلبك 4711 في الطريق. See https://example.com/orders/4711 للمزيد.')
        .visitor('Thanks, شكرا!').entries,
      suggestions: suggest(['ساعات العمل', 'Opening hours']),
    },
  },
  'handoff-waiting': {
    group: 'Handoff',
    chat: {
      transcript: waiting().entries,
      handoff: { state: 'pending', position: 3, waitSeconds: 130 },
      leavable: true,
    },
  },
  'handoff-taken': {
    group: 'Handoff',
    chat: { transcript: taken().entries, agent: { name: 'Sarah', live: true }, handoff: { state: 'live' } },
  },
  'handoff-typing': {
    group: 'Handoff',
    chat: {
      transcript: taken().entries,
      agent: { name: 'Sarah', live: true },
      handoff: { state: 'live' },
      typing: { role: 'live', name: 'Sarah' },
    },
  },
  'handoff-left': {
    group: 'Handoff',
    chat: { transcript: taken().notice('live-left', { name: 'Sarah' }).entries },
  },
  'handoff-failed': {
    group: 'Handoff',
    chat: { transcript: waiting().notice('handoff-failed').entries, handoff: { state: 'failed' } },
  },
  'handoff-client': {
    group: 'Handoff',
    chat: {
      transcript: asked().visitor('I want to talk to a person').notice('handoff-client').entries,
      handoff: { state: 'client', reason: 'POLICY' },
    },
  },
  unsent: {
    group: 'Delivery',
    chat: {
      transcript: greeted().entries,
      outbox: [waits('Where is my order?', 'failed'), waits('It is number 4711', 'unconfirmed')],
    },
  },
  sending: {
    group: 'Delivery',
    chat: { transcript: greeted().entries, outbox: [waits('Where is my order?', 'sent')] },
  },
  undelivered: {
    group: 'Delivery',
    chat: { transcript: greeted().visitor('Where is my order?', { undelivered: true }).entries },
  },
  error: {
    group: 'Delivery',
    chat: {
      transcript: asked().notice('error', { text: 'Sorry, I encountered an error. Please try again.' })
        .entries,
    },
  },
  'idle-warning': {
    group: 'The end',
    chat: { transcript: asked().entries, notice: { kind: 'idle-warning', endsAt: MORNING + 59_000 } },
  },
  expired: { group: 'The end', chat: { status: 'expired', transcript: asked().entries } },
  ended: {
    group: 'The end',
    chat: { status: 'ended', transcript: asked().agent('It arrives on Thursday. Goodbye!').entries },
  },
  restarted: {
    group: 'The end',
    chat: {
      transcript: asked().agent('It arrives on Thursday.').divider('restarted').agent(GREETING).entries,
      suggestions: suggest(HELPS),
    },
  },
  rating: {
    group: 'The end',
    chat: {
      status: 'live',
      transcript: asked().agent('It arrives on Thursday. Goodbye!').entries,
      csat: { state: 'asked' },
    },
  },
  rated: {
    group: 'The end',
    chat: {
      transcript: asked().agent('It arrives on Thursday. Goodbye!', { rating: 'up' }).entries,
      csat: { state: 'given', score: 10 },
    },
  },
  'rating-comment': {
    group: 'The end',
    chat: { transcript: asked().agent('It arrives on Thursday. Goodbye!').entries, csat: { state: 'asked' } },
    steps: [['.rating label:nth-of-type(4)'], ['.rating textarea', 'Quick and kind']],
  },
  stopped: {
    group: 'Conversation',
    chat: {
      transcript: greeted()
        .visitor('What should I check before I ride?')
        .agent('Check the tyres first: 4.5 bar in front, 5 bar at', { stopped: true }).entries,
    },
  },
  menu: {
    group: 'Controls',
    chat: { transcript: asked().entries },
    steps: [['[aria-haspopup="menu"]']],
  },
  languages: {
    group: 'Controls',
    chat: { transcript: asked().entries },
    steps: [['[aria-haspopup="menu"]'], ['[role="menuitem"][aria-haspopup]']],
  },
  'end-asked': {
    group: 'Controls',
    chat: { transcript: asked().entries },
    steps: [['[aria-haspopup="menu"]'], ['[role="menuitem"]:nth-last-of-type(2)']],
  },
  'near-limit': {
    group: 'Controls',
    chat: { transcript: greeted().entries, capabilities: { max_message_size_bytes: 60 } },
    steps: [['textarea', 'Is the Heron Tour also there in green, and in M?']],
  },
  'too-long': {
    group: 'Controls',
    chat: {
      transcript: greeted().entries,
      capabilities: { max_message_size_bytes: 1_024 },
      refuses: { reason: 'too-long', bytes: 2_048, limit: 1_024 },
    },
    steps: [['textarea', 'Is the Heron Tour also there in green, and in M?'], ['.send']],
  },
  search: {
    group: 'Controls',
    chat: { transcript: long() },
    steps: [['[aria-haspopup="menu"]'], ['[role="menuitem"]:nth-of-type(2)'], ['[type="search"]', '42']],
  },
  draft: {
    group: 'Controls',
    chat: { transcript: greeted().entries },
    steps: [
      [
        'textarea',
        'Hello,\nI would like to know whether the Heron Tour is also there in green.\n\nThank you!',
      ],
    ],
  },
  intro: { group: 'Of the site', chat: { transcript: greeted().entries }, options: SITE },
  disclaimer: {
    group: 'Of the site',
    chat: { transcript: greeted().entries },
    options: { disclaimer: DISCLAIMER, disclaimerPlace: 'below' },
  },
  away: { group: 'Of the site', chat: { transcript: greeted().entries }, options: { ...SITE, ...HOURS } },
  'switched-off': {
    group: 'Of the site',
    chat: { transcript: greeted().entries, suggestions: suggest(HELPS) },
    options: { without: 'suggestions search download feedback', showHeader: false },
  },
  consent: { group: 'Before a chat', prechat: 'consent', options: { ...SITE, greeting: undefined } },
  home: { group: 'Before a chat', prechat: 'home', options: { ...SITE, starters: STARTERS } },
  form: { group: 'Before a chat', prechat: 'form', options: { ...SITE, form: FORM } },
  'form-errors': {
    group: 'Before a chat',
    prechat: 'form',
    options: { ...SITE, form: FORM },
    steps: [['[type="email"]', 'ana@'], ['.primary']],
  },
  closed: {
    group: 'Before a chat',
    prechat: 'closed',
    options: {
      ...SITE,
      ...HOURS,
      outsideHours: 'closed',
      contact: 'Write to us: [help@example.com](mailto:help@example.com)',
    },
  },
  launcher: { group: 'On the page', page: 'launcher' },
  'launcher-unread': { group: 'On the page', page: 'unread' },
  'launcher-preview': { group: 'On the page', page: 'preview' },
  teaser: { group: 'On the page', page: 'teaser' },
  trouble: { group: 'On the page', page: 'trouble' },
}
