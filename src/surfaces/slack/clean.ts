import type { Action, Report, Table } from '../../domain/report.ts'

/** Sanitises and redacts one text. */
type Clean = (text: string) => string

/** The same report with every text that is shown or kept passed through `clean`. Before anything is cut. */
export function cleaned(report: Report, clean: Clean): Report {
  return {
    ...report,
    title: clean(report.title),
    summary: clean(report.summary),
    lead: clean(report.lead),
    facts: report.facts.map(({ label, value }) => ({ label: clean(label), value: clean(value) })),
    tables: report.tables.map((table) => cleanTable(table, clean)),
    sections: report.sections.map((section) => ({
      ...section,
      title: clean(section.title),
      body: clean(section.body),
    })),
    actions: report.actions.map((action) => cleanAction(action, clean)),
    files: report.files.map(({ name, text }) => ({ name: clean(name), text: clean(text) })),
  }
}

function cleanTable({ title, columns, rows }: Table, clean: Clean): Table {
  return { title: clean(title), columns: columns.map(clean), rows: rows.map((row) => row.map(clean)) }
}

/** Its line is no text for people: dispatch keeps none that holds a secret. */
function cleanAction({ reveals, ...action }: Action, clean: Clean): Action {
  const label = clean(action.label)
  if (reveals === undefined) return { ...action, label }
  const tables = reveals.tables.map((table) => cleanTable(table, clean))
  return { ...action, label, reveals: { title: clean(reveals.title), tables } }
}
