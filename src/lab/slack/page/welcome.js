import { h, icon } from './dom.js'

/** The first page: what this is, what to type, and what there is to type it at. */
export function drawWelcome({ examples, targets, channel }) {
  const [first] = examples
  return h(
    'section',
    { class: 'welcome', 'aria-labelledby': 'welcome-title' },
    icon('flame'),
    h(
      'h2',
      { id: 'welcome-title' },
      first === undefined ? 'Type a command below' : ['Type ', h('kbd', {}, first.line)],
    ),
    h(
      'p',
      { class: 'lead' },
      'A running server is not yet a working model. Ask it something, and see in a thread what it thinks, what it says, and what is wrong.',
    ),
    h(
      'ul',
      { class: 'examples' },
      examples.map(({ line, why }) =>
        h(
          'li',
          {},
          h(
            'button',
            { type: 'button', dataset: { line }, 'data-testid': 'example' },
            h('code', {}, line),
            h('span', {}, why),
          ),
        ),
      ),
    ),
    targets.length === 0
      ? null
      : [
          h('h3', {}, 'Targets'),
          h(
            'dl',
            { class: 'targets' },
            targets.map(({ name, about }) => h('div', {}, h('dt', {}, name), h('dd', {}, about))),
          ),
        ],
    h(
      'p',
      { class: 'small' },
      `A click puts a line below, Enter sends it. This is #${channel} of a Slack on this machine: the bot speaks Slack's own protocol to it. Nothing leaves your computer, and nothing here outlives the server.`,
    ),
  )
}

/** What may follow the text so far: commands, examples, or how a command is used. */
export function offersFor(text, { commands, examples }) {
  if (!text.startsWith('/') || text.includes('\n')) return []
  const lines = examples.filter(({ line }) => line.startsWith(text) && line !== text)
  const offers = lines.slice(0, 4).map(({ line, why }) => ({ insert: line, label: line, about: why }))
  const [word] = text.split(' ')
  if (word !== text) {
    const known = commands.filter((command) => `/${command.word}` === word)
    return [...offers, ...known.map(({ usage, summary }) => ({ insert: null, label: `/${usage}`, about: summary }))]
  }
  const words = commands.map((command) => ({
    insert: `/${command.word} `,
    label: `/${command.word}`,
    about: command.summary,
  }))
  return [...words.filter(({ label }) => label.startsWith(text)), ...offers]
}
