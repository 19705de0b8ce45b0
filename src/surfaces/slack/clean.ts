import type { Report } from '../../domain/report.ts'

/** The same report with every text passed through `clean`, which sanitises and redacts. Before anything is cut. */
export function cleaned(report: Report, clean: (text: string) => string): Report {
  return {
    ...report,
    title: clean(report.title),
    lead: clean(report.lead),
    facts: report.facts.map(({ label, value }) => ({ label: clean(label), value: clean(value) })),
    tables: report.tables.map(({ title, columns, rows }) => ({
      title: clean(title),
      columns: columns.map(clean),
      rows: rows.map((row) => row.map(clean)),
    })),
    sections: report.sections.map((section) => ({
      ...section,
      title: clean(section.title),
      body: clean(section.body),
    })),
    actions: report.actions.map((action) => ({ ...action, label: clean(action.label) })),
    files: report.files.map(({ name, text }) => ({ name: clean(name), text: clean(text) })),
  }
}
