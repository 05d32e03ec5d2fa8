// Puts the panel itself into the container (`isolation: none`). Its code comes from the BFF.

import type { FromPage, Inline, LoadInline } from '../../unframed.ts'
import type { Container, Content } from './content.ts'
import { importAgain } from './import-again.ts'

export function unframedPanel(
  { host, box, channel, ground, origin, start }: Container,
  page: FromPage,
  loadInline: LoadInline,
): Content {
  let gone = false
  let panel: Inline | undefined
  const load = () => importAgain(loadInline)
  return {
    prepare: () => void load().catch(() => {}),
    start() {
      load().then(
        ({ createInline }) => {
          if (gone) return
          const { connect } = channel
          panel ??= createInline({ box, origin, connect, fail: ground.fail, tell: host.tell, start, page })
          panel.open()
        },
        () => gone || ground.fail('code'),
      )
    },
    dispose() {
      gone = true
      panel?.close()
    },
  }
}
