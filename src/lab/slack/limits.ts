/**
 * What Slack accepts in a message, in code points and items. Written from Slack's documents and reports, apart from the
 * renderer's own table, so that one mistake cannot hide in both.
 */
export const LIMITS = {
  blocks: 50,
  viewBlocks: 100,
  /** chat.postMessage cuts above it and warns */
  postText: 40_000,
  /** chat.update refuses above it (msg_too_long) */
  updateText: 4_000,
  /** sum of all texts in the blocks of a message (msg_blocks_too_long, bolt-js #2509) */
  blockText: 13_200,
  metadataBytes: 4_000,
  attachments: 100,
  tables: 1,
  blockId: 255,
  actionId: 255,
  section: { text: 3_000, fields: 10, field: 2_000 },
  header: 150,
  context: { elements: 10, text: 3_000 },
  actions: 25,
  button: { text: 75, value: 2_000, url: 3_000, label: 75 },
  confirm: { title: 100, text: 300, answer: 30 },
  image: { alt: 2_000, title: 2_000, url: 3_000 },
  markdown: 12_000,
  table: { rows: 100, columns: 20 },
  container: { title: 150, subtitle: 150, children: 10 },
  alert: 200,
  input: { label: 2_000, hint: 2_000 },
  view: { title: 24, callbackId: 255, metadata: 3_000 },
} as const

/** What the live validator is known to take inside a container; the types and the documents promise more. */
export const CONTAINER_CHILDREN = ['section', 'context', 'actions', 'divider', 'header', 'image', 'table'] as const

/** How long and how often. */
export const PACE = {
  /** an envelope must be acknowledged within this, in ms */
  ackMs: 3_000,
  /** a response_url may be used this often, for this long */
  responses: 5,
  responseMs: 30 * 60_000,
  connections: 10,
} as const
