import { writeSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { listen } from '../../src/lab/listen.ts'
import { sglang } from '../../src/lab/model-server/sglang.ts'
import type { Refusal, Speech } from '../../src/lab/story.ts'
import type { Home } from './sglang-double/home.ts'
import { readHome } from './sglang-double/home.ts'
import { speechOf } from './sglang-double/model.ts'
import { openServer } from './sglang-double/serve.ts'
import type { Flags } from './sglang-double/start.ts'
import { DERIVED_CONTEXT, stamped, startLines } from './sglang-double/start.ts'

/**
 * A double of `python -m sglang.launch_server` with Qwen3.6-27B on two cards of 48 GB: no model, no GPU. It is a process
 * of its own that starts, refuses to start and answers by its flags and by the folder SGLANG_DOUBLE_HOME as SGLang does.
 * What it does stands in SGLang's sources, tags 0.5.8 to 0.5.18: the order and wording of its log, the arithmetic of the
 * static fraction, the port that is bound after "Application startup complete.", the check of speculative decoding
 * (0.5.10rc0 to 0.5.13.post1), what its reasoning parsers do, the wording of its refusals, and the skipped all-reduce of
 * 0.5.9 (PRs 19070, 19411). Only reported is the end inside the thinking of 0.5.12 (sglang#27021). Of its own invention
 * are the numbers: sizes in GiB, seconds, counts of tokens.
 */
async function main(): Promise<void> {
  const folder = process.env['SGLANG_DOUBLE_HOME']
  if (folder === undefined) throw new Error('SGLANG_DOUBLE_HOME is not set')
  const home = await readHome(folder)
  const flags = readFlags(process.argv.slice(2))
  const { lines, ends } = startLines(flags, home)
  lines.forEach(print)
  if (ends) process.exit(1)
  await serve(flags, home)
}

function print(line: string): void {
  writeSync(2, `${line}\n`)
}

function readFlags(words: readonly string[]): Flags {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...words],
    options: {
      'model-path': text,
      host: text,
      port: text,
      'tp-size': text,
      'mem-fraction-static': text,
      'context-length': text,
      'reasoning-parser': text,
      'chat-template': text,
      'speculative-algorithm': text,
      'mamba-scheduler-strategy': text,
      'enable-strict-thinking': { type: 'boolean' },
    },
  })
  const context = values['context-length']
  return {
    model: values['model-path'] ?? '/srv/models/Qwen3.6-27B',
    port: Number(values.port ?? 30_000),
    tensorParallel: Number(values['tp-size'] ?? 1),
    fraction: Number(values['mem-fraction-static'] ?? 0.85),
    context: context === undefined ? null : Number(context),
    reasoningParser: values['reasoning-parser'] ?? null,
    chatTemplate: values['chat-template'] ?? null,
    speculative: values['speculative-algorithm'] ?? null,
    mambaStrategy: values['mamba-scheduler-strategy'] ?? null,
    strictThinking: values['enable-strict-thinking'] ?? false,
  }
}

/** The port is bound after the line that says that the start is complete, and the warm-up asks whoever owns it. */
async function serve(flags: Flags, home: Home): Promise<void> {
  const { port } = flags
  const hasTemplate = home.hasTemplate || (flags.chatTemplate !== null && (await isThere(flags.chatTemplate)))
  const about = `INFO:     Started server process [${process.pid}]`
  for (const line of [about, 'INFO:     Waiting for application startup.', COMPLETE]) print(stamped(line))
  const server = openServer({
    dialect: sglang(home.version),
    context: flags.context ?? DERIVED_CONTEXT,
    facts: factsOf(flags, home.version),
    play: (question): Speech | Refusal => (hasTemplate ? speechOf(question, { ...flags, ...home }) : NO_TEMPLATE),
  })
  const isBound = await listen(server, port).then(
    () => true,
    () => false,
  )
  print(isBound ? stamped(`INFO:     Uvicorn running on http://127.0.0.1:${port} (Press CTRL+C to quit)`) : taken(port))
  const warm = await fetch(`http://127.0.0.1:${port}/model_info`)
  if (warm.ok) print(stamped('The server is fired up and ready to roll!'))
  if (!isBound) process.exit(1)
}

const COMPLETE = 'INFO:     Application startup complete.'

function taken(port: number): string {
  return stamped(
    `ERROR:    [Errno 98] error while attempting to bind on address ('127.0.0.1', ${port}): address already in use`,
  )
}

/** What transformers says through SGLang. */
const NO_TEMPLATE: Refusal = {
  act: 'refuse',
  status: 400,
  type: 'BadRequestError',
  message:
    'Cannot use chat template functions because tokenizer.chat_template is not set and no template argument was passed! For information about writing templates and setting the tokenizer.chat_template attribute, please see the documentation at https://huggingface.co/docs/transformers/main/en/chat_templating',
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function factsOf(flags: Flags, version: string): ReadonlyMap<string, unknown> {
  const { model, tensorParallel, context, reasoningParser, fraction } = flags
  const most = context ?? DERIVED_CONTEXT
  const card = { id: model, object: 'model', created: 1_780_000_000, owned_by: 'sglang', root: model, parent: null }
  const modelInfo = { model_path: model, tokenizer_path: model, is_generation: true, weight_version: 'default' }
  const serverInfo = {
    model_path: model,
    served_model_name: model,
    tp_size: tensorParallel,
    mem_fraction_static: fraction,
    context_length: context,
    reasoning_parser: reasoningParser,
    version,
  }
  return new Map<string, unknown>([
    ['/v1/models', { object: 'list', data: [{ ...card, max_model_len: most }] }],
    ['/model_info', modelInfo],
    ['/get_model_info', modelInfo],
    ['/server_info', serverInfo],
    ['/get_server_info', serverInfo],
  ])
}

await main()
