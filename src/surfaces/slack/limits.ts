/**
 * What one Slack message may hold, in Unicode code points and items. Sources: @slack/types 3.2.0 and
 * docs.slack.dev/reference/block-kit; where they are silent, the refusals that people reported.
 */
export const LIMITS = {
  blocks: 50,
  /**
   * sum of all texts in the blocks. Slack refused about 13,200 (bolt-js #2509) and once 11,341 (bolt-js #2867);
   * this is our own line below both.
   */
  blockText: 10_000,
  /**
   * top-level text, markup counted; chat.update refuses about 4,000 and chat.postMessage takes ten times as much, so
   * this is our own line below both
   */
  text: 3_900,
  section: 3_000,
  /** a summary in the words of a headline, markup counted: our own, with room for the title and all else beside it */
  summary: 1_200,
  header: 150,
  /** buttons of one row */
  actions: 25,
  /** buttons of one message: our own line, below 50 blocks and with room for what they belong to */
  buttons: 50,
  button: { text: 75, actionId: 255, value: 2_000 },
  container: { title: 150, children: 10 },
  /** rows with the header's; more than one table makes `invalid_attachments` */
  table: { rows: 100, columns: 20, perMessage: 1 },
  /** uses of one response_url, within 30 minutes */
  responses: 5,
} as const
