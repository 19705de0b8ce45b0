import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import { startSlack } from '../../src/lab/slack/index.ts'
import type { Fields } from '../../src/lab/slack/json.ts'
import { call, listen } from '../lab/slack/client.ts'
import { test as browserTest, NARROW } from './chromium.ts'

const EXAMPLE = '/smoke "Say hello"'
const WELCOME = {
  commands: [
    { word: 'smoke', usage: 'smoke "PROMPT"', summary: 'Ask the model something' },
    { word: 'gpu', usage: 'gpu status', summary: 'Look at the GPUs' },
  ],
  examples: [{ line: EXAMPLE, why: 'a healthy model' }],
  targets: [{ name: 'qwen', about: 'SGLang, healthy' }],
}

interface Desk {
  readonly slack: SlackStandIn
  readonly page: Page
  /** Posts as the bot and finds the message on the page. */
  post(body: Fields): Promise<{ ts: string; shown: ReturnType<Page['locator']> }>
}

/** The console of a stand-in to which no bot is connected. */
const test = browserTest.extend<{ desk: Desk }>({
  async desk({ open }, use) {
    const slack = await startSlack({ port: 0, ...WELCOME })
    const page = await open(slack.url)
    await use({
      slack,
      page,
      async post(body) {
        const reply = await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'x', ...body })
        expect(reply).toMatchObject({ ok: true })
        const ts = String(reply['ts'])
        return { ts, shown: page.locator(`#channel [data-ts="${ts}"]`) }
      },
    })
    await page.close()
    await slack.close()
  },
})

const plain = (text: string) => ({ type: 'plain_text', text })
const section = (text: string) => ({ type: 'section', text: plain(text) })
const box = (title: string, folded: boolean, text: string) => ({
  type: 'container',
  title: plain(title),
  is_collapsible: true,
  default_collapsed: folded,
  child_blocks: [section(text)],
})

test('the first page says what to type, and an example needs only Enter', async ({ desk: { page } }) => {
  await page.getByRole('heading', { name: EXAMPLE }).waitFor()
  await page.getByText('SGLang, healthy').waitFor()
  await page.getByTestId('example').click()
  const composer = page.getByTestId('composer')
  expect(await composer.inputValue()).toBe(EXAMPLE)
  await composer.press('Enter')
  await page.getByText('/smoke failed because the app is not connected').waitFor()
  expect(await page.getByText('Only visible to you').count()).toBe(1)
  expect(await page.locator('.welcome').isVisible()).toBe(false)
})

test('commands are completed by keyboard, and unknown ones named', async ({ desk: { page } }) => {
  const composer = page.getByTestId('composer')
  await composer.pressSequentially('/g')
  await page.getByRole('option', { name: '/gpu' }).waitFor()
  const offered = page.getByRole('listbox', { name: 'Commands' }).getByRole('option')
  expect(await offered.count()).toBe(1)
  await composer.press('Enter')
  expect(await composer.inputValue()).toBe('/gpu ')
  await page.getByText('/gpu status').waitFor()
  await composer.fill('/sing')
  await composer.press('Enter')
  await page.getByText('/sing is not a valid command. Known here: /smoke, /gpu.').waitFor()
})

test('an update keeps what the reader opened and closed', async ({ desk: { slack, post } }) => {
  const boxes = (seconds: number) => [
    section(`${seconds} s`),
    box(`Reasoning, ${seconds} s`, true, 'thinking'),
    box('Content', false, 'Hello!'),
  ]
  const { ts, shown } = await post({ blocks: boxes(1) })
  const [thinking, answer] = [shown.getByText('thinking'), shown.getByText('Hello!')]
  await answer.waitFor()
  expect(await thinking.isVisible()).toBe(false)
  await shown.getByText('Reasoning, 1 s').click()
  await shown.locator('summary', { hasText: 'Content' }).click()
  await thinking.waitFor()
  await call(slack, 'chat.update', { channel: 'C0GPU', ts, text: 'x', blocks: boxes(2) })
  await shown.getByText('Reasoning, 2 s').waitFor()
  expect([await thinking.isVisible(), await answer.isVisible()]).toEqual([true, false])
})

test('what Slack would make a mention or a link is one here, and nothing else is', async ({ desk: { page, post } }) => {
  const hostile = '<!channel> <@U0BEN> <https://evil.example|bank> https://evil.example <script>alert(1)</script>'
  const { shown: alive } = await post({ text: hostile.slice(0, hostile.indexOf('<script>')) })
  await alive.locator('.mention', { hasText: '@channel' }).waitFor()
  expect(await alive.locator('.mention').allTextContents()).toEqual(['@channel', '@Ben'])
  expect(await alive.locator('a').allTextContents()).toEqual(['bank', 'https://evil.example'])
  const escaped = hostile.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const dead = [
    { text: 'x', blocks: [section(hostile)] },
    { text: escaped.replace('https://evil.example &lt;s', '&lt;s') },
    { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: `\`\`\`${escaped}\`\`\`` } }] },
  ]
  for (const body of dead) {
    const { shown } = await post(body)
    await shown.getByText('<!channel> <@U0BEN> <https://evil.example|bank>').waitFor()
    expect(await shown.locator('.mention, script').count()).toBe(0)
  }
  const links = await page.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(links.filter((href) => !/^https:/.test(href ?? ''))).toEqual([])
})

test('markup that runs into a token stays inside it', async ({ desk: { post } }) => {
  const { shown } = await post({ text: '*bold* _soft_ ~gone~ `<!here>` a*b*c &amp;lt; <javascript:alert(1)|x>' })
  await shown.locator('strong', { hasText: 'bold' }).waitFor()
  expect(await shown.locator('.words').textContent()).toBe('bold soft gone @here a*b*c &lt; <javascript:alert(1)|x>')
  expect(await shown.locator('code .mention').count()).toBe(1)
  expect(await shown.locator('a').count()).toBe(0)
})

test('a button asks where it was told to, and presses once', async ({ desk: { slack, page, post } }) => {
  const app = await listen(slack)
  const confirm = {
    title: plain('Restart?'),
    text: plain('qwen stops'),
    confirm: plain('Restart it'),
    deny: plain('Leave it'),
  }
  const button = { type: 'button', text: plain('Restart'), action_id: 'pf:1', value: '1', style: 'danger', confirm }
  const { shown } = await post({ blocks: [{ type: 'actions', elements: [button] }] })
  const presses = () => app.heard.filter((envelope) => envelope['type'] === 'interactive')
  await shown.getByRole('button', { name: 'Restart' }).click()
  await page.getByRole('button', { name: 'Leave it' }).click()
  await shown.getByRole('button', { name: 'Restart' }).click()
  await page.getByRole('dialog').getByText('qwen stops').waitFor()
  await page.getByRole('button', { name: 'Restart it' }).click()
  const [press] = await slack.until(() => presses().length > 0 && presses())
  expect(press?.['payload']).toMatchObject({ user: { id: 'U0ANNA' }, actions: [{ action_id: 'pf:1', value: '1' }] })
  expect(presses()).toHaveLength(1)
})

test('a reply in a thread reaches the app, a command there does not', async ({ desk: { slack, page, post } }) => {
  const app = await listen(slack)
  const { ts, shown } = await post({ text: 'parent' })
  await shown.getByRole('button', { name: 'Reply in thread' }).click()
  const thread = page.getByTestId('thread')
  await thread.getByTestId('thread-composer').fill('@pilotflame raw')
  await thread.getByTestId('thread-send').click()
  await thread.locator('.mention', { hasText: '@Pilotflame' }).waitFor()
  const isMention = (envelope: Fields) => JSON.stringify(envelope).includes('"type":"app_mention"')
  await slack.until(() => app.heard.find(isMention))
  expect(slack.messages()[0]?.replies[0]).toMatchObject({ thread: ts, text: '<@U0PILOT> raw' })
  await thread.getByTestId('thread-composer').fill('/smoke hello')
  await thread.getByTestId('thread-send').click()
  await thread.getByText('/smoke is not supported in threads. Sorry!').waitFor()
})

test('only its reader sees a private message; a file is a link with its beginning', async ({
  desk: { slack, page },
}) => {
  await call(slack, 'chat.postEphemeral', { channel: 'C0GPU', user: 'U0BEN', text: 'for Ben' })
  await call(slack, 'chat.postEphemeral', { channel: 'C0GPU', user: 'U0ANNA', text: 'for Anna' })
  await page.getByText('for Anna').waitFor()
  expect(await page.getByText('for Ben').count()).toBe(0)
  const bytes = '<b>not a page</b>'
  const given = await call(slack, 'files.getUploadURLExternal', { filename: 'raw.html', length: bytes.length })
  await fetch(String(given['upload_url']), { method: 'POST', body: bytes })
  await call(slack, 'files.completeUploadExternal', { files: [{ id: given['file_id'] }], channel_id: 'C0GPU' })
  const link = page.getByRole('link', { name: 'raw.html' })
  await page.locator('.file', { hasText: bytes }).waitFor()
  const file = await fetch(new URL((await link.getAttribute('href')) ?? '', slack.url))
  expect(file.headers.get('content-type')).toBe('text/plain; charset=utf-8')
})

test('every block fits on a narrow screen', async ({ desk: { page, post } }) => {
  await page.setViewportSize(NARROW)
  const long = 'x'.repeat(400)
  const cells = Array(8).fill({ type: 'raw_text', text: 'a long cell with words' })
  await post({
    blocks: [
      { type: 'header', text: plain(long.slice(0, 150)) },
      { type: 'section', text: plain(long), fields: [plain('a'), plain(long)] },
      { type: 'table', rows: [cells, cells] },
      { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: long }] }] },
      { type: 'markdown', text: `## ${long}` },
      { type: 'context', elements: [plain(long)] },
      box(long.slice(0, 150), false, long),
    ],
  })
  await page.locator('table').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width)
  const overflowing = await page
    .locator('.block')
    .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().right > 420))
  expect(overflowing).toHaveLength(0)
})

test('another person sits down: what only they see, what they press, and what they say', async ({
  desk: { slack, page, post },
}) => {
  const app = await listen(slack)
  const yes = { type: 'button', action_id: 'yes', style: 'danger', text: plain('Restart') }
  await post({ blocks: [{ type: 'actions', elements: [yes] }] })
  await call(slack, 'chat.postEphemeral', { channel: 'C0GPU', user: 'U0BEN', text: 'for Ben' })
  await call(slack, 'chat.postEphemeral', { channel: 'C0GPU', user: 'U0ANNA', text: 'for Anna' })
  await page.getByText('for Anna').waitFor()
  await page.getByTestId('seat').selectOption({ label: 'Ben' })
  await page.getByText('for Ben').waitFor()
  expect(await page.getByText('for Anna').count()).toBe(0)
  expect(new URL(page.url()).search).toBe('?as=U0BEN&in=C0GPU')
  await page.getByRole('button', { name: 'Restart' }).click()
  const pressed = (envelope: Fields) => envelope['type'] === 'interactive'
  const press = await slack.until(() => app.heard.find(pressed))
  expect(press).toMatchObject({ payload: { user: { id: 'U0BEN', team_id: 'T0DEMO' } } })
  await page.getByTestId('composer').fill('hello')
  await page.getByTestId('send').click()
  await slack.until(() => slack.messages().find(({ user, text }) => user === 'U0BEN' && text === 'hello'))
})

test('another channel is shown, and an archived one takes no words', async ({ desk: { slack, page } }) => {
  await call(slack, 'chat.postMessage', { channel: 'C0PRIVATE', text: 'among us' })
  await page.getByTestId('room').selectOption({ label: '#private-gpu' })
  await page.getByText('among us').waitFor()
  await page.getByTestId('composer').fill('hello')
  await page.getByTestId('send').click()
  await slack.until(() => slack.messages('C0PRIVATE').find(({ text }) => text === 'hello'))
  await page.getByTestId('room').selectOption({ label: '#old-gpu' })
  await page.getByTestId('channel-form').waitFor({ state: 'hidden' })
})
