// Opens the panel, alike in a frame and in the page itself, and owns its end of the channel. Most sites have just a chat; where one
// asks for consent, a form or lines of its own, a reception runs it.

import { attempt, persist } from '../ui/index.ts'
import { type Looks, readMessage, type Start, type ToPage, type ToPanel } from './channel.ts'
import { type Config, readConfig } from './config.ts'
import type { ReadDetails } from './details.ts'
import { needsReception, settingsOf } from './given.ts'
import type { openReception, Reception } from './reception.ts'
import { createTalk, type PanelPlace, type Talk } from './talk.ts'

export type PanelOptions = Omit<PanelPlace, 'config'> & {
  /** Default: read from the origin. */
  config?: Promise<Config> | undefined
  /** The page's options as `early` read them; the reception comes with them. */
  details?: ReadDetails | undefined
  reception?: { openReception: typeof openReception } | undefined
  /** The messages that came over the port before the panel. */
  said?: readonly unknown[] | undefined
}

/** Opens the panel. Returns the undo. */
export function openPanel({
  shell,
  said = [],
  details,
  reception: ready,
  ...more
}: PanelOptions): () => void {
  const place = { ...more, config: more.config ?? readConfig(more.origin) }
  const { port, page } = place
  const given: Start = Object(place.start)
  const say = (message: ToPage) => port.postMessage(message)
  let talk: Talk | undefined
  let shown: Extract<ToPanel, { type: 'show' }> | undefined
  let reception: Reception | undefined
  let loading: Promise<void> | undefined
  /** What is said while the reception is on its way. */
  const early: ToPanel[] = []
  const gone = new AbortController()

  async function load(): Promise<void> {
    const fetch = () => import('./reception.ts')
    // A chat that runs already does not wait for the reception.
    const module = await (talk ? attempt(fetch).catch(() => undefined) : persist(fetch, gone.signal))
    loading = undefined
    if (gone.signal.aborted) return
    reception = module?.openReception({ place, given, say, talk, shown })
    // Without it the page says that there is no chat, or the chat goes on as it was.
    const take = reception?.take ?? takeAlone
    for (const message of early.splice(0)) take(message)
  }
  /** Without a reception. */
  function takeAlone(message: ToPanel): void {
    if (message.type === 'show') shown = message
    if (message.type !== 'looks') return talk?.take(message)
    const looks: Looks = Object(message.looks)
    if (looks.consent !== 'refused') return talk?.update({ ...settingsOf(looks), site: page }, looks)
    // There is nobody who could ask again.
    const ending = talk
    talk = undefined
    void ending?.logout().then(ending.dispose, ending.dispose)
    ending?.undraw()
    say({ type: 'close' })
  }
  const onMessage = ({ data }: { data: unknown }) => {
    const message = readMessage<ToPanel>(data)
    if (!message) return
    if (reception) return reception.take(message)
    if (message.type === 'looks' && needsReception(Object(message.looks))) loading ??= load()
    if (loading) early.push(message)
    else takeAlone(message)
  }
  port.addEventListener('message', onMessage)
  port.start()
  if (ready) reception = ready.openReception({ place, given, say, talk, shown, shell, details })
  else if (place.consentRequired || page?.render?.home || needsReception(given)) loading = load()
  else {
    // Once: a later chat draws itself.
    talk = createTalk({ ...place, shell }, given, say)
    void talk.draw({ ...settingsOf(given), site: page }).then(() => say({ type: 'ready' }))
  }
  for (const data of said) onMessage({ data })

  return () => {
    gone.abort()
    port.removeEventListener('message', onMessage)
    port.close()
    if (reception) reception.dispose()
    else talk?.dispose()
  }
}
