import { expect, test } from 'vitest'
import { shownBeside } from '../../src/dispatch/shown.ts'
import type { Conversation } from '../../src/domain/conversation.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import type { Shown } from '../../src/domain/shown.ts'

function talk(shown?: Conversation['shown']): Conversation {
  const place = { channel: 'C0GPU', thread: null }
  const rest = {
    to: place,
    pressed: null,
    begin: async () => ({ place, message: null }),
    update() {},
    end: async () => null,
  }
  return shown === undefined ? rest : { ...rest, shown }
}

const signal = AbortSignal.timeout(5_000)

test('what stands above is decoded, once', async () => {
  const message = { at: 1, text: 'File &lt;module&gt; &amp;lt; <http://a.b|a.b>', files: [], isFirst: true }
  const shown: Shown = { files: [], above: ok([message]) }
  const { above } = await shownBeside(
    talk(async () => shown),
    signal,
  )
  expect(above).toEqual(ok([{ ...message, text: 'File <module> &lt; a.b' }]))
})

test('a surface that shows nothing shows nothing, and why nobody could look is kept', async () => {
  expect(await shownBeside(talk(), signal)).toEqual({ files: [], above: ok([]) })
  const above = failed<never>({ kind: 'config', thing: 'Slack', observed: 'no scope', next: 'click' })
  expect(
    await shownBeside(
      talk(async () => ({ files: [], above })),
      signal,
    ),
  ).toEqual({ files: [], above })
})
