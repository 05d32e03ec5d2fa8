// The script of a version, and what a page's tag compares its bytes with.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readPageScript } from '../../src/cli/page-script.ts'

const built = mkdtempSync(join(tmpdir(), 'foyer-script-'))
afterAll(() => rmSync(built, { recursive: true }))

it('is named where the widget is beside the built file, with the SHA-384 of its bytes', () => {
  writeFileSync(join(built, 'package.json'), '{"version":"0.2.0"}')
  expect(readPageScript(built)).toBeUndefined()
  mkdirSync(join(built, 'public/v/0.2.0'), { recursive: true })
  writeFileSync(join(built, 'public/v/0.2.0/foyer.js'), 'alert(1)')
  expect(readPageScript(built)).toEqual({
    path: '/foyer/v/0.2.0/foyer.js',
    // `printf 'alert(1)' | openssl dgst -sha384 -binary | base64`
    integrity: 'sha384-HT2E9NfWiuQ/w1PRai+hTyqW16NIoCGA/m8VQDUopfAtcz6YQjtsMmQd5uRbVDpW',
  })
})
