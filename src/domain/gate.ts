/** What the gate sent for one verb, taken out of whatever else the login shell printed. */
export interface GateReply {
  /** exit status of the verb; 0 is done */
  readonly rc: number
  readonly delivery: 'installed' | 'quick'
  /** in the order in which they came */
  readonly sections: readonly GateSection[]
  /** what stood before the gate's first line: noise of login scripts */
  readonly noise: string
}

export interface GateSection {
  readonly name: string
  /** exit status of the command that filled it; null where it was cut before it ended */
  readonly rc: number | null
  readonly text: string
  /** whether the gate cut it at `LARGEST_SECTION` */
  readonly truncated: boolean
}

/** The protocol that this client speaks. */
export const GATE_PROTOCOL = 1

/** Each line of the gate's own begins with it. */
export const GATE_MARK = 'GATE '

/** The gate ends a section after one byte more than this. */
export const LARGEST_SECTION = 256 * 1024

/** The text of a section, or null where the gate sent none of this name. */
export function sectionOf(reply: GateReply, name: string): GateSection | null {
  return reply.sections.find((section) => section.name === name) ?? null
}
