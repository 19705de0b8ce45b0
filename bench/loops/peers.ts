const LARGEST_PERIOD = 512
const COPIES = 4

/**
 * What vLLM's repetition_detection does, on characters: after each one it tries every size of a pattern at the end of the
 * text. Gives how many characters stood in a repetition.
 */
export function tailScan(text: string): number {
  let hits = 0
  for (let end = COPIES; end <= text.length; end += 1) if (repeatsAt(text, end)) hits += 1
  return hits
}

function repeatsAt(text: string, end: number): boolean {
  const most = Math.min(LARGEST_PERIOD, Math.floor(end / COPIES))
  for (let period = 1; period <= most; period += 1) if (isPeriodic(text, end, period)) return true
  return false
}

function isPeriodic(text: string, end: number, period: number): boolean {
  for (let at = end - 1; at >= end - (COPIES - 1) * period; at -= 1)
    if (text.charCodeAt(at) !== text.charCodeAt(at - period)) return false
  return true
}
