/**
 * Stands in for llama-server where only npm's llama.cpp can be had: `node server.ts ROOT`, then llama-server's flags.
 * Tokens, counts, slots and aborts are real; of the surface there is what the product and the far tests read.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { sendJson } from '../../../../src/lab/model-server/send-json.ts'
import { loadFromNpm } from './binding.ts'
import { chatOn, refuse } from './chat.ts'
import { openModel } from './model.ts'

const [root = '', ...flags] = process.argv.slice(2)
const { llama, Template } = await loadFromNpm(root)
const version = `${llama.llamaCppRelease.release} (node-llama-cpp)`
if (flags.includes('--version')) {
  console.log(`version: ${version}`)
  process.exit()
}
const file = after('-m')
const slots = Number(after('-np'))
const model = await openModel(llama, { file, slots, room: Number(after('-c')) / slots })
const chat = chatOn(model, new Template(model.template), { model: basename(file), system_fingerprint: version })

const FACTS: Readonly<Record<string, () => unknown>> = {
  '/health': () => ({ status: 'ok' }),
  '/v1/models': () => ({
    object: 'list',
    data: [{ id: basename(file), object: 'model', owned_by: 'llamacpp', meta: { n_ctx: model.room } }],
  }),
  '/props': () => ({
    default_generation_settings: { n_ctx: model.room },
    total_slots: slots,
    model_path: file,
    chat_template: model.template,
    build_info: version,
  }),
  '/slots': () => model.slots.map(({ id, busy }) => ({ id, n_ctx: model.room, is_processing: busy })),
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    if (response.headersSent) response.destroy()
    else refuse(response, 500, 'server_error', String(error))
  })
})
server.listen(Number(after('--port')), after('--host'))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '' } = request
  const fact = FACTS[url]
  if (method === 'POST' && url === '/v1/chat/completions') await chat(await text(request), response)
  else if (url === '/metrics') response.end(`llamacpp:tokens_predicted_total ${decoded()}\n`)
  else if (fact !== undefined) sendJson(response, 200, fact())
  else refuse(response, 404, 'not_found_error', 'File Not Found')
}

function decoded(): number {
  return model.slots.reduce((sum, slot) => sum + slot.decoded, 0)
}

/** What stands after one of llama-server's flags. */
function after(flag: string): string {
  const value = flags[flags.indexOf(flag) + 1]
  if (!flags.includes(flag) || value === undefined) throw new Error(`${flag} VALUE is missing`)
  return value
}
