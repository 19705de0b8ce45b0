import { print } from './measure.ts'
import { labelledCases } from './rivals/cases.ts'
import { compare } from './rivals/compare.ts'
import { wantsWrite, writeReadme } from './rivals/table.ts'

/**
 * The diagnosis beside what one has without it, on all recorded cases of the tests: to call everything healthy, and to
 * search for 40 words. Who calls everything unhealthy is right wherever something is wrong, so false alarms stand beside.
 */

const cases = labelledCases()
const { table, healthy, ours, always, words } = compare(cases)
console.log(table)
print(`healthy or not, right of ${cases.length}`, [ours.right.length], ['>=', 155, 'count'])
print(`verdict, right of ${cases.length}`, [ours.exact], ['>=', 155, 'count'])
print(
  `healthy, without an alarm of ${healthy.length}`,
  [healthy.length - ours.falseAlarms],
  ['>=', healthy.length, 'count'],
)
print('healthy or not, right / always healthy', [ours.right.length / always.right.length])
print('healthy or not, right / 40 words', [ours.right.length / words.right.length])
if (wantsWrite()) writeReadme('rivals', table)
