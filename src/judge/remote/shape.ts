/** How the lines look that a command prints by its nature. */
export interface Shape {
  /** whether a line is one of its data */
  isRow(line: string): boolean
  /** whether its data begin with the first such line, and all that follows belongs to it */
  readonly opens: boolean
  /** whether the first row only names the columns */
  readonly headed: boolean
}

/** The shape of what a command line prints; null where anything may come. */
export function shapeOf(command: string): Shape | null {
  return csv(command) ?? SHAPES.find(([words]) => words.test(command))?.[1] ?? null
}

function lines(row: RegExp): Shape {
  return { isRow: (line) => row.test(line), opens: false, headed: false }
}

/** A table, a document or a status: known by its first line. */
function from(first: RegExp, headed = false): Shape {
  return { isRow: (line) => first.test(line), opens: true, headed }
}

const SHAPES: readonly (readonly [words: RegExp, shape: Shape])[] = [
  [
    /\bsystemctl\b.*\bis-(?:active|enabled|failed)\b/,
    lines(
      /^(?:active|inactive|failed|(?:de)?activating|reloading|refreshing|maintenance|unknown|enabled|enabled-runtime|disabled|static|masked|alias|indirect|generated|transient|linked|not-found)$/,
    ),
  ],
  [/\bsystemctl\b.*\bshow\b(?!.*--value)/, lines(/^[A-Z]\w*=/)],
  [/\bsystemctl\b.*\bstatus\b/, from(/^\s*[●○×↻*] \S+/)],
  [/\bnvidia-smi\b.* (?:-L|--list-gpus)\b/, lines(/^\s*(?:GPU \d+: |MIG )/)],
  [/\bnvidia-smi\s*["']?$/, from(/^\+-|^\w{3} \w{3}\s+\d+ [\d:]+ \d{4}$/)],
  [/\s(?:-o[ =]?json\S*|--output[ =]json\S*|--json|-J)(?=["'\s]|$)|\{\{ ?json\b/, from(/^\s*[{[]/)],
  [/^(?:sudo (?:-n )?)?df\b/, from(/^Filesystem\s/, true)],
  [/\bdocker (?:ps|container ls)\b(?!.*--format| -q)/, from(/^CONTAINER ID\s/, true)],
  [/^ps\b(?!.*(?:h\b|=))/, from(/^\s*(?:\w+\s+)*(?:PID|COMMAND|CMD)\b/, true)],
  [/\bfree\b(?! -h?s)/, from(/^\s+total\s+used\b/)],
  [/^uptime$/, lines(/\bload average/)],
  [/^(?:nproc|id -u|date \+%s|pgrep \S+|pidof \S+)$|\bwc -l$/, lines(/^\s*\d+(?: \d+)*$/)],
]

/** `nvidia-smi --query-… --format=csv`: so many fields, of which the measured ones are figures or say that there is none. */
function csv(command: string): Shape | null {
  const query = /--query-[\w-]+[ =]["']?([\w.,-]+)/.exec(command)?.[1]
  if (query === undefined || !/--format[ =]["']?csv/.test(command)) return null
  const fields = query.split(',').filter((field) => field !== '')
  const headed = !/\bnoheader\b/.test(command)
  return {
    opens: false,
    headed,
    isRow(line) {
      const cells = line.split(',').map((cell) => cell.trim())
      if (cells.length !== fields.length) return false
      return isHead(cells, fields) ? headed : cells.every((cell, at) => fits(cell, fields[at] ?? ''))
    },
  }
}

function isHead(cells: readonly string[], fields: readonly string[]): boolean {
  return cells.every((cell, at) => cell.replace(/ \[.*\]$/, '') === fields[at])
}

const MEASURED =
  /^(?:index|count|pid|used_gpu_memory|used_memory|(?:memory|utilization|temperature|power|fan|clocks|ecc|pcie)\..*)$/
const FIGURE = /^-?[\d.]+(?: ?[A-Za-z%/]+)?$|^\[.*\]$|^(?:N\/A|ERR!|Not Supported|Enabled|Disabled|Unknown.*|-)$/

function fits(cell: string, field: string): boolean {
  return !MEASURED.test(field) || FIGURE.test(cell)
}
