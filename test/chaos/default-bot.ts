import { appendFileSync } from 'node:fs'
import type { BlockButtonAction } from '@slack/bolt'
import { App } from '@slack/bolt'
import type { Button, KnownBlock } from '@slack/types'

// The control: a bot as Bolt's documentation shows it, with its own receiver, its own client and `say`. What it changes
// in the world is a line in the file that DEEDS names: the reason that was given.

const { SLACK_BOT_TOKEN = '', SLACK_APP_TOKEN = '', DEEDS = '' } = process.env
const app = new App({ token: SLACK_BOT_TOKEN, appToken: SLACK_APP_TOKEN, socketMode: true })

app.command(/.*/, async ({ ack, body, respond }) => {
  await ack()
  await respond(`Answer to ${body.command} ${body.text}`)
})

app.event('app_mention', async ({ event, say }) => {
  const thread = { thread_ts: event.thread_ts ?? event.ts }
  const plan = /restart .*"(.+)"/.exec(event.text)?.[1]
  if (plan === undefined) return void (await say({ text: `Answer to ${event.text}`, ...thread }))
  const button: Button = {
    type: 'button',
    action_id: 'confirm',
    value: plan,
    text: { type: 'plain_text', text: 'Confirm' },
  }
  const blocks: KnownBlock[] = [{ type: 'actions', elements: [button] }]
  await say({ text: `Restart for ${plan}`, blocks, ...thread })
})

app.action<BlockButtonAction>('confirm', async ({ ack, action, body, say }) => {
  await ack()
  const plan = action.value
  if (plan === undefined) return
  appendFileSync(DEEDS, `${plan}\n`)
  await say({ text: `Restarted for ${plan}`, thread_ts: body.message?.['thread_ts'] ?? body.container['message_ts'] })
})

// a process that dies of one lost answer would not be the default for long
process.on('unhandledRejection', () => undefined)
app.error(async () => undefined)
await app.start()
