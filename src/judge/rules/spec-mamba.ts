import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'

import { standing } from '../log/outlived.ts'
import { quotedSign } from '../log/signs.ts'
import { compareVersions } from '../version.ts'

/** Hybrid models with speculative decoding and prefix cache need the state strategy extra_buffer (sglang#22908, #25116). */
export const specMamba: Rule = {
  codes: ['config.spec-mamba'],
  signatures: [
    {
      name: 'spec-needs-buffer',
      anchors: ['is not compatible with radix cache when using'],
      pattern:
        /Speculative decoding for (?<model>\w{1,80}) is not compatible with radix cache when using (?<flag>--mamba-[a-z-]{1,40}) no_buffer/,
      example:
        'ValueError: Speculative decoding for Qwen3NextForCausalLM is not compatible with radix cache when using --mamba-radix-cache-strategy no_buffer.',
      nearMiss:
        'Disabling radix cache since speculative decoding for Qwen3NextForCausalLM is not supported with radix cache.',
    },
    {
      name: 'buffer-refused',
      anchors: ['amba extra_buffer is', 'extra_buffer is not', 'is not compatible with --mamba'],
      pattern:
        /[Mm]amba extra_buffer is (?:not supported for|only supported on|not compatible with)|is not compatible with --mamba-(?:scheduler|radix-cache)-strategy/,
      example: 'AssertionError: mamba extra_buffer is not compatible with --disable-radix-cache',
      nearMiss: 'INFO mamba extra_buffer is enabled',
    },
  ],
  check(evidence) {
    const [needed] = standing(evidence, 'spec-needs-buffer')
    if (needed !== undefined) return [needsBuffer(evidence, needed)]
    const [refused] = standing(evidence, 'buffer-refused')
    return refused === undefined ? [] : [notWithOthers(refused)]
  },
}

function base(sign: Sign): Pick<Finding, 'code' | 'verdict' | 'confidence' | 'explains' | 'at'> {
  return {
    code: 'config.spec-mamba',
    verdict: 'misconfigured',
    confidence: 'certain',
    explains: ['engine.invariant', 'engine.assert'],
    at: sign.at,
  }
}

function needsBuffer(evidence: Evidence, sign: Sign): Finding {
  const version = versionOf(evidence)
  const flag = flagFor(version, sign.fields['flag'])
  return {
    ...base(sign),
    cause: `${sign.fields['model'] ?? 'The model'} keeps recurrent states beside its KV cache; speculative decoding with the prefix cache needs the state strategy extra_buffer, and no_buffer is set.`,
    because: [quotedSign(sign), ...(version === null ? [] : [`SGLang ${version}`])],
    remedy: [
      `Start with ${flag} extra_buffer. ${variableFor(version)}`,
      'Or without the prefix cache: --disable-radix-cache; or without speculative decoding (leave out all --speculative-… flags).',
      ...(version === null ||
      compareVersions(version, '0.5.14') === null ||
      (compareVersions(version, '0.5.14') ?? 0) >= 0
        ? []
        : ['From 0.5.14 on SGLang chooses it by itself.']),
    ],
    ...(version === null
      ? { missing: ['the version of SGLang: python -c "import importlib.metadata as m; print(m.version(\'sglang\'))"'] }
      : {}),
  }
}

/** What runs, by its own word; else what is installed; else what was told. */
function versionOf({ engine, installed, told }: Evidence): string | null {
  const package_ = installed?.packages.find(({ name }) => name === 'sglang')?.version
  const said = (told ?? []).flatMap(
    (line) => /^(?:\w{1,60}\.)?(?:engine_)?(?:version|sglang)\w*: \D{0,12}(\d+\.\d+\S{0,20})/i.exec(line)?.[1] ?? [],
  )[0]
  return (engine?.kind === 'sglang' ? engine.version : null) ?? package_ ?? said ?? null
}

/** Renamed in 0.5.14; the old name is kept as an alias. The message itself names the one that its version knows. */
function flagFor(version: string | null, named: string | undefined): string {
  if (named !== undefined && version === null) return named
  return version !== null && (compareVersions(version, '0.5.14') ?? -1) >= 0
    ? '--mamba-radix-cache-strategy'
    : '--mamba-scheduler-strategy'
}

/** SGLANG_ENABLE_SPEC_V2 by tag: False up to 0.5.10.post1, True from 0.5.11 on, gone since 0.5.14. */
function variableFor(version: string | null): string {
  if (version === null) {
    return 'Set SGLANG_ENABLE_SPEC_V2=1 beside it up to 0.5.10.post1; from 0.5.11 on it is the default, and since 0.5.14 the variable is gone.'
  }
  const by = (other: string) => (compareVersions(version, other) ?? 0) >= 0
  if (by('0.5.14')) return `SGLang ${version} knows SGLANG_ENABLE_SPEC_V2 no more.`
  return by('0.5.11')
    ? `SGLang ${version} needs no SGLANG_ENABLE_SPEC_V2: it is on by default.`
    : `Set the variable SGLANG_ENABLE_SPEC_V2=1 beside it: SGLang ${version} has it off.`
}

function notWithOthers(sign: Sign): Finding {
  return {
    ...base(sign),
    cause:
      'The strategy for recurrent states that was asked for does not go with another flag, this model or this GPU.',
    because: [quotedSign(sign)],
    remedy: [
      /disable-radix-cache/.test(sign.line)
        ? 'Leave out --disable-radix-cache, or the strategy: one of the two.'
        : 'Leave out the strategy (--mamba-scheduler-strategy, from 0.5.14 on --mamba-radix-cache-strategy), and speculative decoding with it; or change the flag that the message names.',
    ],
  }
}
