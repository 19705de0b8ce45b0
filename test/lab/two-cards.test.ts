import { expect, test } from 'vitest'
import { readReply } from '../../src/domain/gate/reply.ts'
import { cards } from '../../src/domain/verbs/index.ts'
import { createGate } from '../../src/lab/box-gate.ts'
import { twoCards } from '../../src/lab/two-cards.ts'
import { nvidiaSmi } from '../../src/telemetry/nvidia-smi.ts'
import { never, valueIn } from '../adapters/tidy.ts'

const OP = '0123456789abcdef0123456789abcdef'

test('a server holds half of its model on each card for as long as it runs; a unit without a model holds none', async () => {
  const gate = createGate({ units: ['qwen', 'looper', 'sideshow'], machine: twoCards(SERVERS) })
  const seen = async () => {
    const { stdout } = await gate.exec(`cards ${OP}`, '', never)
    const { gpus, processes } = nvidiaSmi.read(valueIn(cards.parse(valueIn(readReply(String(stdout), OP)), {})))
    return [gpus.cards.map(({ memoryUsedMiB }) => memoryUsedMiB), processes?.length]
  }
  expect(await seen()).toEqual([[21_524, 21_524], 4])
  gate.byHand('looper', 'stop')
  expect(await seen()).toEqual([[10_764, 10_764], 2])
  gate.byHand('qwen', 'stop')
  expect(await seen()).toEqual([[4, 4], 0])
  gate.byHand('qwen', 'restart')
  expect(await seen()).toEqual([[10_764, 10_764], 2])
})

const SERVERS = [
  { name: 'qwen', version: '0.5.18' },
  { name: 'looper', version: '0.5.9' },
]
