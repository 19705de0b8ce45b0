/** A screen that keeps what was written. */
export function screen(isTTY: boolean): {
  readonly isTTY: boolean
  readonly columns: number
  write(text: string): void
  text(): string
} {
  const written: string[] = []
  return { isTTY, columns: 40, write: (text) => void written.push(text), text: () => written.join('') }
}
