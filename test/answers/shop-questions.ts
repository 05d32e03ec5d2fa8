// Questions to the handbook of an invented bicycle shop: the same parameters must serve a folder that is not ours.

import type { Asked } from './questions.ts'

export const shopQuestions: readonly Asked[] = [
  { ask: 'Can I return my bike?', is: ['returns#how-to-send-a-bicycle-back'], kind: 'plain' },
  { ask: 'when do I get my refund', is: ['returns#when-you-get-your-money-back'], kind: 'plain' },
  { ask: 'How long does shipping take?', is: ['shipping#how-long-delivery-takes'], kind: 'plain' },
  { ask: 'do you ship to Switzerland', is: ['shipping#which-countries-we-deliver-to'], kind: 'plain' },
  { ask: 'what are the opening hours', is: ['store#opening-hours'], kind: 'plain' },
  { ask: 'are you open on Sunday?', is: ['store#opening-hours'], kind: 'words' },
  { ask: 'Where is my order?', is: ['shipping#how-to-track-an-order'], kind: 'words' },
  { ask: 'my parcel is broken', is: ['shipping#what-to-do-when-a-parcel-arrives-damaged'], kind: 'words' },
  { ask: 'How much is an inspection?', is: ['repairs#what-an-inspection-costs'], kind: 'plain' },
  { ask: 'how long do you need to fix a flat tire', is: ['repairs#how-long-a-repair-takes'], kind: 'words' },
  { ask: 'Can I pay by credit card?', is: ['orders#how-to-pay'], kind: 'plain' },
  { ask: 'can I pay monthly', is: ['orders#paying-in-instalments'], kind: 'words' },
  { ask: 'cancel my order', is: ['orders#how-to-cancel-an-order'], kind: 'plain' },
  {
    ask: 'what is the range of the e-bike battery',
    is: ['ebikes#how-far-the-battery-takes-you'],
    kind: 'words',
  },
  {
    ask: 'how do I charge it',
    after: 'How far does the battery take me?',
    is: ['ebikes#how-to-charge-the-battery'],
    kind: 'follow-up',
  },
  {
    ask: 'what does it cost to rent a bike for a day',
    is: ['rental#what-it-costs-to-rent-a-bicycle'],
    kind: 'plain',
  },
  { ask: 'is there a guarantee on the frame', is: ['warranty#how-long-the-warranty-lasts'], kind: 'words' },
  {
    ask: 'are tyres covered by the warranty?',
    is: ['warranty#what-the-warranty-does-not-cover'],
    kind: 'plain',
  },
  { ask: 'do you have any jobs for mechanics', is: ['jobs#open-positions'], kind: 'plain' },
  { ask: 'oppening huors', is: ['store#opening-hours'], kind: 'typo' },
  { ask: 'vaucher code', is: ['orders#vouchers'], kind: 'typo' },
  { ask: 'delivry cost', is: ['shipping#what-delivery-costs'], kind: 'typo' },
  { ask: 'Wie sind die Öffnungszeiten?', is: ['store#opening-hours'], kind: 'de' },
  { ask: 'Was kostet der Versand?', is: ['shipping#what-delivery-costs'], kind: 'de' },
  { ask: 'Wie kann ich stornieren?', is: ['orders#how-to-cancel-an-order'], kind: 'de' },
  { ask: 'Wie hoch sind die Versandkosten?', is: ['shipping#what-delivery-costs'], kind: 'de' },
  { ask: 'Quels sont les horaires d’ouverture ?', is: ['store#opening-hours'], kind: 'fr' },
  { ask: 'Comment payer ?', is: ['orders#how-to-pay'], kind: 'fr' },
  {
    ask: 'and what does it cost?',
    after: 'Do you deliver to France?',
    is: ['shipping#what-delivery-costs'],
    kind: 'follow-up',
  },
  {
    ask: 'und wie lange dauert sie?',
    after: 'Was kostet die Lieferung?',
    is: ['shipping#how-long-delivery-takes'],
    kind: 'follow-up',
  },
]

/** Nothing in the handbook answers these. */
export const shopUnanswered: readonly string[] = [
  'Do you sell skateboards?',
  'What is the CEO called?',
  'Can I bring my dog?',
  'Do you have a newsletter?',
  'What is the square root of 16?',
  'Who wrote Faust?',
  'Kann ich bei euch Tickets für das Konzert kaufen?',
  'Avez-vous une carte de fidélité ?',
  'how do I reset my password',
  'are the bikes vegan',
]
