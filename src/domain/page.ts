import type { Outcome } from './outcome.ts'
import type { Report } from './report.ts'

/** What did not fit into an answer, kept for whoever wants to see it. */
export interface Page {
  readonly id: string
  readonly report: Pick<Report, 'title' | 'tables'>
  /** epoch ms at which it was made */
  readonly at: number
  /** epoch ms after which it is gone */
  readonly expires: number
}

export interface Pages {
  addPage(page: Page): Promise<Outcome<null>>
  page(id: string): Promise<Outcome<Page | null>>
}
