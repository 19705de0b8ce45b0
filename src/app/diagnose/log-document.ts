import type { Evidence } from '../../domain/finding.ts'
import type { LogEvidence, LogWriter } from '../../domain/signature.ts'
import { diagnose } from '../../judge/diagnose.ts'
import { engineNamed } from '../../judge/engine-names.ts'
import type { ToolEvidence } from '../../judge/gpu/tool-run.ts'
import { readToolRun } from '../../judge/gpu/tool-run.ts'
import { scanText } from '../../judge/log/scan.ts'
import { rules, signatures } from '../../judge/rules/index.ts'
import type { Judged } from './document.ts'
import { formOf } from './form.ts'
import type { Fields } from './record.ts'
import { flat, recordOf, textOf } from './record.ts'
import { unitSaid } from './unit-said.ts'

/** Kind B: a log of a start or of a run: `{engine, log, context?}`. */
export function logDocument(input: unknown): Judged {
  const fields = recordOf(input)
  if (fields === null) return { ok: false, problem: '"input" is no object' }
  const { engine, log, context, ...others } = fields
  const text = linesOf(log)
  if (text === null) return { ok: false, problem: '"input.log" is missing; write the lines of the log as one text' }
  const writer = writerNamed(textOf(engine) ?? '')
  const besides = { ...(recordOf(context) ?? { context }), ...others }
  return judgedLog(scanText(text, signatures, writer), besides)
}

/** What the rules say of a log that was read; `known` is what the one who shows it knows besides. */
export function judgedLog(log: LogEvidence, known: Fields): Judged {
  const evidence = evidenceOf(log, known)
  const [finding] = diagnose(evidence, rules).findings
  return { ok: true, finding, parsed: {} }
}

function evidenceOf(log: LogEvidence, known: Fields): Evidence {
  const told = flat(known)
  const unit = unitSaid(known)
  const tool = toolIn(known)
  const kernel = [...kernelIn(known), ...(tool.kernel ?? [])]
  return {
    target: { name: 'log', url: '', host: null },
    log,
    ...tool,
    ...(told.length === 0 ? {} : { told }),
    ...(unit === null ? {} : { unit }),
    ...(kernel.length === 0 ? {} : { kernel }),
  }
}

/** A text, or its lines. */
function linesOf(log: unknown): string | null {
  if (!Array.isArray(log)) return textOf(log) ?? null
  const lines: readonly unknown[] = log
  return lines.flatMap((line) => textOf(line) ?? []).join('\n')
}

/** A name as people write it: `SGLang`, `llama.cpp`, `llama-server`. */
export function writerNamed(name: string): LogWriter | null {
  return engineNamed(name) ?? (/systemd|journal/i.test(name) ? 'systemd' : null)
}

/** What a GPU tool printed beside the log; words about it are only told. */
function toolIn(known: Fields): ToolEvidence {
  const command = TOOLS.find((name) => formOf(textOf(known[name]) ?? '') === 'tool')
  if (command === undefined) return {}
  const stdout = textOf(known[command]) ?? ''
  return readToolRun({
    command: command.replace('_', '-'),
    stdout,
    stderr: '',
    rc: null,
    timedOut: false,
    place: null,
  })
}

const TOOLS = ['nvidia_smi', 'nvidia-smi', 'rocm_smi', 'rocm-smi', 'amd_smi', 'amd-smi']

function kernelIn(known: Fields): readonly string[] {
  return ['dmesg', 'kernel', 'journal_kernel', 'dmesg_tail']
    .flatMap((name) => linesOf(known[name])?.split('\n') ?? [])
    .filter((line) => line.trim() !== '')
    .slice(-MOST_KERNEL)
}

const MOST_KERNEL = 200
