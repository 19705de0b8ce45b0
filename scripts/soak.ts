// Long runs under trouble: `npm run soak -- duel` (two bots, one unit), `npm run soak -- chaos` (one bot, killed again
// and again). Without a word it is the duel.

const [, , what = 'duel'] = process.argv

if (what === 'chaos') await import('./soak-chaos.ts')
else if (what === 'duel' || what.startsWith('-')) await import('./soak-duel.ts')
else {
  process.stderr.write(`There is no soak “${what}”. Next: npm run soak -- duel, or npm run soak -- chaos\n`)
  process.exitCode = 2
}
