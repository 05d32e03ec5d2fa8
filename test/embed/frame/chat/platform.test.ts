// What the service learns of the platform that a page names.

import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPanel } from '../../../../src/embed/frame/panel.ts'
import { readOptions } from '../../../../src/embed/options.ts'
import { openIn } from '../open-panel.ts'

const CHAT_URL = 'https://service.example.com'

describe('a session', () => {
  let undo = () => {}
  afterEach(() => {
    undo()
    vi.unstubAllGlobals()
    document.body.replaceChildren()
    localStorage.clear()
    sessionStorage.clear()
  })

  // A page is never the native SDK, whatever it says. An older loader sends the names of the service itself.
  it.each([
    [undefined, 'web'],
    ['web', 'web'],
    ['ios', 'ios-web'],
    ['android', 'android-web'],
    ['ios-web', 'ios-web'],
    ['android-web', 'android-web'],
    ['custom', 'web'],
    ['windows', 'web'],
  ])('of a page with the platform %s is reported as %s', async (platform, reported) => {
    let resolve = (_body: unknown) => {}
    const body = new Promise((done) => {
      resolve = done
    })
    vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
      if (String(url).endsWith('/foyer/access-token'))
        return Response.json({
          access_token: 'token',
          expires_in: 3_600,
          token_type: 'Bearer',
          resumed: false,
          chat_url: CHAT_URL,
        })
      if (String(url) === `${CHAT_URL}/api/v1/sessions`) resolve(JSON.parse(String(init.body)))
      return new Promise<Response>(() => {})
    })
    const panel = openIn(openPanel, { start: { ...readOptions({ platform }) } })
    undo = panel.undo
    panel.say({ type: 'show', shown: true })
    expect(await body).toEqual({ streaming_enabled: true, platform: reported })
  })
})
