/**
 * The rate that is exceeded with 5 % chance at most where `hits` of `of` were seen: Clopper and Pearson's upper bound,
 * about 3 / of where there was none.
 */
export function upperBound(hits: number, of: number): number {
  if (hits >= of) return 1
  let [low, high] = [hits / of, 1]
  for (let round = 0; round < 60; round += 1) {
    const middle = (low + high) / 2
    if (atMost(hits, of, middle) > RISK) low = middle
    else high = middle
  }
  return high
}

const RISK = 0.05

/** The chance of at most so many hits; in logarithms, since its terms are tiny. */
function atMost(hits: number, of: number, rate: number): number {
  let term = of * Math.log1p(-rate)
  let sum = Math.exp(term)
  for (let hit = 1; hit <= hits; hit += 1) {
    term += Math.log((of - hit + 1) / hit) + Math.log(rate) - Math.log1p(-rate)
    sum += Math.exp(term)
  }
  return sum
}
