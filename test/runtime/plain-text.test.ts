// How Markdown reads on a phone and in the log.

import { expect, it } from 'vitest'
import { plainText } from '../../src/runtime/conversations/log/plain-text.ts'

it.each([
  ['[our shop](https://shop.example)', 'our shop (https://shop.example)'],
  ['![a bike](https://shop.example/a.png "Red")', 'a bike (https://shop.example/a.png)'],
  ['[](https://shop.example)', 'https://shop.example'],
  [
    '[Bikes](https://shop.example/bikes_(red)), and more',
    'Bikes (https://shop.example/bikes_(red)), and more',
  ],
  ['[1] of [these](https://shop.example)', '[1] of these (https://shop.example)'],
  ['[words]() and [more]( there)', '[words]() and [more]( there)'],
  ['**bold** and __bold__ and *weak* and `code`', 'bold and bold and weak and code'],
  ['**one *two* three**', 'one two three'],
  ['2 ** 3 ** 4, 5 * 6', '2 ** 3 ** 4, 5 * 6'],
  ['# Title\n\n- one\n  * two\n\n\n\n+ three', 'Title\n\n• one\n  • two\n\n• three'],
  ['- - one', '• - one'],
  ['2 - 1\n-1', '2 - 1\n-1'],
  ['```sh\nnpm start\n```', 'npm start'],
])('Markdown is written as plain text: %j reads %j', (markdown, plain) => {
  expect(plainText(markdown)).toBe(plain)
})
