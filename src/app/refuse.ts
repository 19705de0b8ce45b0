interface Way {
  readonly out: { write(text: string): unknown }
  readonly err: { write(text: string): unknown }
  readonly json: boolean
}

/** failed: what is set up is fine, as far as anybody knows */
type Word = 'usage' | 'misconfigured' | 'failed'

/** Says why not, where a program reads it: with --json as the one document, else to people. Gives the exit status. */
export function refuser({ out, err, json }: Way): (status: number, problem: string, word?: Word) => number {
  return (status, problem, word = status === 2 ? 'usage' : 'misconfigured') => {
    if (json) out.write(`${JSON.stringify({ status: word, title: problem })}\n`)
    else err.write(`${problem}\n`)
    return status
  }
}
