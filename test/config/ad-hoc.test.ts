import { expect, test } from 'vitest'
import { adHocConfig } from '../../src/config.ts'

const given = { url: 'http://127.0.0.1:30000/v1/', model: null, engine: null, env: {}, cwd: '/' }

test('a URL is a configuration: one target named by its address, nothing stored', () => {
  const made = adHocConfig({ ...given, model: 'qwen', engine: 'sglang', env: { PILOTFLAME_API_KEY: 'sesame' } })
  expect(made).toMatchObject({
    ok: true,
    value: {
      targets: [
        {
          name: '127.0.0.1:30000',
          url: 'http://127.0.0.1:30000',
          host: null,
          engine: 'sglang',
          model: 'qwen',
          apiKey: 'sesame',
          ca: null,
          proxy: null,
          protected: false,
          unit: null,
        },
      ],
      storePath: ':memory:',
      secrets: ['sesame'],
    },
  })
})

test.each([
  ['HTTPS://LLM.example:8443/openai/v1', 'https://llm.example:8443/openai'],
  ['http://[::1]:30000/', 'http://[::1]:30000'],
  ['http://10.0.0.5', 'http://10.0.0.5'],
])('%s is taken as %s', (url, taken) => {
  expect(adHocConfig({ ...given, url })).toMatchObject({ ok: true, value: { targets: [{ url: taken }] } })
})

test.each([
  [{ url: 'localhost:30000' }, '--url', 'write http://localhost:30000'],
  [{ url: 'ftp://x' }, '--url', 'no http or https URL'],
  [{ url: '' }, '--url', 'no http or https URL'],
  [{ url: 'http://me:pw@x' }, '--url', 'leave them out'],
  [{ url: 'http://x/?key=1' }, '--url', '? or #'],
  [{ url: 'http://2852039166/' }, '--url', 'link-local address 169.254.169.254'],
  [{ engine: 'tgi' }, '--engine', 'use one of sglang'],
  [{ env: { PILOTFLAME_API_KEY: 'a b' } }, 'PILOTFLAME_API_KEY', 'one word'],
])('%o is refused, and the answer does not repeat a password', (wrong, thing, words) => {
  const made = adHocConfig({ ...given, ...wrong })
  expect(made).toMatchObject({ ok: false, failure: { kind: 'config' } })
  expect(JSON.stringify(made)).toContain(thing)
  expect(JSON.stringify(made)).toContain(words)
  expect(JSON.stringify(made)).not.toContain('pw')
})
