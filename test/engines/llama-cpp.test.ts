import { expect, test } from 'vitest'

import { llamaCpp } from '../../src/engines/llama-cpp.ts'
import { replyJson, serve } from '../adapters/http-server.ts'
import { keep, never, open } from '../adapters/tidy.ts'
import { engineContract } from '../contract/engine.ts'
import { dialect } from './llama-cpp-dialect.ts'

engineContract(dialect)

/** The load of a server without --metrics, which says so with 501, by its slots. */
async function loadBySlots(slots: unknown) {
  const server = await keep(
    serve(({ url }, response) => {
      if (url === '/slots') replyJson(response, slots)
      else replyJson(response, { error: { code: 501, message: 'no', type: 'not_supported_error' } }, 501)
    }),
  )
  return await llamaCpp.load(open(server.url), never)
}

test('without metrics the slots at work are counted', async () => {
  const slots = [true, false, true].map((is_processing, id) => ({ id, is_processing, prompt: 'secret' }))
  const told = await loadBySlots(slots)
  expect(told).toMatchObject({ value: { running: 2, waiting: null, asked: '/slots' } })
  expect(JSON.stringify(told)).not.toContain('secret')
  expect(await loadBySlots([])).toMatchObject({ value: { running: 0 } })
})

test.for([[[{ id: 0, state: 1 }]], [{ slots: [] }], ['none']])(
  'slots in another form, %j, say nothing',
  async ([slots]) => {
    expect(await loadBySlots(slots)).toMatchObject({ value: { running: null, asked: null } })
  },
)
