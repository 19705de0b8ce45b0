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
import type { NpmModel } from './model.ts'
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
const key = flags.includes('--api-key') ? after('--api-key') : null
let answering: Awaited<ReturnType<typeof load>> | null = null

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    if (response.headersSent) response.destroy()
    else refuse(response, 500, 'server_error', String(error))
  })
})
server.listen(Number(after('--port')), after('--host'))
answering = await load()

async function load() {
  const model = await openModel(llama, { file, slots, room: Number(after('-c')) / slots })
  const chat = chatOn(model, new Template(model.template), { model: basename(file), system_fingerprint: version })
  const facts: Readonly<Record<string, () => unknown>> = {
    '/v1/models': () => ({
      object: 'list',
      data: [{ id: basename(file), object: 'model', owned_by: 'llamacpp' }],
    }),
    '/props': () => ({
      default_generation_settings: { n_ctx: model.room },
      total_slots: slots,
      model_path: file,
      chat_template: model.template,
      build_info: version,
    }),
    '/slots': () => model.slots.map(({ id, busy }) => ({ id, n_ctx: model.room, is_processing: busy })),
    '/metrics': () => metricsOf(model),
  }
  return { chat, facts }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '', headers } = request
  if (answering === null) return refuse(response, 503, 'unavailable_error', 'Loading model')
  if (url === '/health') return sendJson(response, 200, { status: 'ok' })
  if (key !== null && headers.authorization !== `Bearer ${key}`) {
    return refuse(response, 401, 'authentication_error', 'Invalid API Key')
  }
  if (isOff(url)) return refuse(response, 501, 'not_supported_error', 'This server does not support it')
  if (method === 'POST' && url === '/v1/chat/completions') return answering.chat(await text(request), response)
  const fact = answering.facts[url]
  if (fact === undefined) return refuse(response, 404, 'not_found_error', 'File Not Found')
  const told = fact()
  if (typeof told === 'string') response.end(told)
  else sendJson(response, 200, told)
}

function isOff(url: string): boolean {
  return (url === '/metrics' && !flags.includes('--metrics')) || (url === '/slots' && flags.includes('--no-slots'))
}

function metricsOf(model: NpmModel): string {
  const decoded = model.slots.reduce((sum, slot) => sum + slot.decoded, 0)
  const processing = model.slots.filter(({ busy }) => busy).length
  return [
    `llamacpp:tokens_predicted_total ${decoded}`,
    `llamacpp:requests_processing ${processing}`,
    `llamacpp:requests_deferred ${model.waiting()}`,
    '',
  ].join('\n')
}

/** What stands after one of llama-server's flags, of which the last counts. */
function after(flag: string): string {
  const value = flags[flags.lastIndexOf(flag) + 1]
  if (!flags.includes(flag) || value === undefined) throw new Error(`${flag} VALUE is missing`)
  return value
}
