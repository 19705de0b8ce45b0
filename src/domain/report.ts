import type { Verdict } from './verdict.ts'

/**
 * An answer in words of no particular chat. All its texts are literal: surfaces escape, cut and fence them,
 * and none of them is ever read as markup.
 */
export interface Report {
  readonly tone: Tone
  /** the one line to read: the verdict, or what is happening */
  readonly title: string
  /** why, and the next step, for whoever reads only the headline; empty where the title says it all */
  readonly summary: string
  /** who asked what of which target; empty where nothing was asked of a target */
  readonly lead: string
  readonly facts: readonly Fact[]
  readonly tables: readonly Table[]
  readonly sections: readonly Section[]
  readonly actions: readonly Action[]
  readonly files: readonly ReportFile[]
  /** how it ended, for exit statuses and records */
  readonly status: Verdict | 'done' | 'running' | 'usage' | 'refused' | 'failed'
  /** the same for machines, printed by --json */
  readonly json: unknown
  /** channel: everybody there sees it, as a change must be seen · asker: a short answer may be shown to one person alone */
  readonly seenBy: 'asker' | 'channel'
}

export type Tone = 'good' | 'bad' | 'warning' | 'neutral' | 'running'

export interface Fact {
  readonly label: string
  readonly value: string
}

export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface Section {
  readonly title: string
  readonly body: string
  /** whether it is shown closed */
  readonly folded: boolean
  readonly kind: 'reasoning' | 'content' | 'tool-calls' | 'diagnosis' | 'text' | 'code' | 'log'
}

/** Something that may be pressed. `line` is a command line of the house, run as the person who presses. */
export interface Action {
  readonly label: string
  readonly line: string
  readonly style: 'plain' | 'primary' | 'danger'
  /** whether the line carries what somebody typed, and so may be kept only as long as prompts are */
  readonly holdsPrompt?: boolean
  /** the id of the attempt that it is about; absent: the last one of its run */
  readonly attempt?: string
  /** whether the press alone means it, so that nobody can type it instead */
  readonly pressOnly?: boolean
  /** what the press shows: kept as long as prompts are, and named by the line `more ID`; `line` is not used then */
  readonly reveals?: Pick<Report, 'title' | 'tables'>
}

export interface ReportFile {
  /** `reasoning.txt` */
  readonly name: string
  readonly text: string
}

type Given = Pick<Report, 'tone' | 'title' | 'status'> & Partial<Report>

/** A report with what is not given left empty. */
export function report(given: Given): Report {
  return {
    summary: '',
    lead: '',
    facts: [],
    tables: [],
    sections: [],
    actions: [],
    files: [],
    json: null,
    seenBy: 'asker',
    ...given,
  }
}

/** A refusal or a wrong use, said in one sentence. */
export function refusal(title: string, status: 'usage' | 'refused' | 'failed' = 'refused'): Report {
  return report({ tone: status === 'failed' ? 'bad' : 'warning', title, status })
}

/** Whole seconds from ten on, one decimal below. */
export function seconds(ms: number): string {
  return ms >= 10_000 ? `${Math.round(ms / 1000)} s` : `${(ms / 1000).toFixed(1)} s`
}

/** 1, "host" → "1 host"; 2, "host" → "2 hosts". */
export function counted(n: number, what: string): string {
  return `${count(n)} ${what}${n === 1 ? '' : 's'}`
}

/** "start it" → "Start it", for what stands alone. */
export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** 12345 → "12,345". */
export function count(n: number): string {
  return n.toLocaleString('en-US')
}
