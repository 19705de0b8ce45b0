/** Whether a version such as `0.5.12.post1` is this one or a later one. */
export function atLeast(version: string, wanted: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  for (const [index, want] of wanted.entries()) {
    const have = parts[index] ?? 0
    if (have !== want) return have > want
  }
  return true
}
