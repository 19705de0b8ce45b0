const LONGEST = 80

/** The beginning of what somebody wrote, for echoing it: an answer never repeats 12,000 characters. */
export function excerpt(text: string): string {
  const characters = [...text]
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST).join('')}…`
}
