import { expect } from 'vitest'
import { diagnose } from '../../src/judge/diagnose.ts'
import { rules } from '../../src/judge/rules/index.ts'
import { test } from './far-test.ts'

test.for([
  ['healthy', 'healthy', 'ok.answered'],
  ['eos', 'broken', 'model.immediate-eos'],
  ['loop', 'broken', 'model.degenerate-loop'],
  ['overthink', 'request-limit', 'budget.reasoning-exhausted'],
  ['loop-in-reasoning', 'broken', 'model.degenerate-loop'],
  ['utf8', 'healthy', 'ok.answered'],
] as const)('a real model of the kind %s is %s: %s', async ([model, verdict, code], { serve, house }) => {
  const { url } = await serve(model)
  expect(diagnose(await house.smoke(url), rules)).toMatchObject({ verdict, code })
})

test('reasoning and content come apart, and text comes whole', async ({ serve, house }) => {
  const server = await serve('healthy')
  const healthy = await house.smoke(server.url)
  expect(healthy.smoke?.completion).toMatchObject({
    reasoning: 'The user asks for a greeting; I will answer politely.\n',
    content: 'Hello! How can I help you today?',
    finish: 'stop',
    tokens: { completion: 22 },
  })
  expect(await server.props()).toMatchObject({ build_info: healthy.engine?.version })
  expect(healthy.engine).toMatchObject({ kind: 'llama-cpp', version: expect.stringMatching(/\d/), context: 8192 })
})

test('mark-up and characters of many scripts arrive as the model wrote them', async ({ serve, house }) => {
  const { smoke } = await house.smoke((await serve('utf8')).url)
  expect(smoke?.completion?.content).toBe(
    'Grüße 你好 🚀 `<b>&amp;` `*bold*` code in backticks <!channel> <@U123> <https://example.com|here> https://example.com @here',
  )
})
