// Long runs under trouble: `npm run soak -- duel` (two bots, one unit), `npm run soak -- chaos` (one bot, killed again
// and again), `npm run soak -- stock` (thousands of harmless texts, judged). Without a word it is the duel.

const [, , what = 'duel'] = process.argv

if (what === 'chaos') await import('./soak-chaos.ts')
else if (what === 'stock') await import('./stock.ts')
else if (what === 'duel' || what.startsWith('-')) await import('./soak-duel.ts')
else {
  process.stderr.write(`There is no soak “${what}”. Next: npm run soak -- duel, chaos or stock\n`)
  process.exitCode = 2
}
