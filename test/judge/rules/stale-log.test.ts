import { expect } from 'vitest'
import { staleLog } from '../../../src/judge/rules/stale-log.ts'
import { ruleTable } from '../rule-table.ts'
import { PLAIN, shown } from '../shown-log.ts'

const LINES = [
  '[2026-04-01 18:02:11 TP0] Load weight end.',
  '[2026-04-01 18:02:12] The server is fired up and ready to roll!',
]

ruleTable(staleLog, {
  speaks: {
    'a file that was last written before the process began': [
      shown(LINES, [
        'process_started: 2026-04-02 07:58:00',
        'log_mtime: 2026-04-01 23:10:00',
        'now: 2026-04-02 08:00:00',
      ]),
      {
        code: 'log.stale',
        verdict: 'inconclusive',
        confidence: 'certain',
        cause: expect.stringContaining('9 h before'),
        because: [
          'told: process_started “2026-04-02 07:58:00”',
          'told: log_mtime “2026-04-01 23:10:00”',
          'log line 2: “[2026-04-01 18:02:12] The server is fired up and ready to roll!”',
          'told: now “2026-04-02 08:00:00”',
        ],
      },
    ],
    'lines days before the process began': [
      shown(LINES, ['unit_started: Fri 2026-04-03 07:58:00 UTC']),
      { confidence: 'certain', cause: expect.stringContaining('38 h') },
    ],
    'lines hours before it began, by clocks of which no zone is known': [
      shown(LINES, ['started_at: 2026-04-01T20:02:12Z']),
      { confidence: 'likely', unless: expect.stringContaining('time zone') },
    ],
    'the beginning by now and the uptime': [
      shown(LINES, ['now: 2026-04-03 08:00:00', 'uptime_s: 600']),
      { code: 'log.stale', because: expect.arrayContaining(['told: now “2026-04-03 08:00:00”, told: uptime_s “600”']) },
    ],
    'another process than the one that runs': [
      shown(
        ['[t] INFO:     Started server process [4242]', '[t] INFO:     Application startup complete.'],
        ['running_pid: 5151'],
      ),
      {
        code: 'log.stale',
        confidence: 'likely',
        because: ['told: running_pid “5151”', expect.stringContaining('[4242]')],
      },
    ],
  },
  silent: {
    'the process that runs': shown('[t] INFO:     Started server process [4242]', ['running_pid: 4242']),
    ...PLAIN,
    'a file written after the process began, though its lines tell no time of it': shown(LINES, [
      'process_started: 2026-04-02 07:58:00',
      'log_mtime: 2026-04-02 07:59:00',
    ]),
    'lines after the process began': shown(LINES, ['process_started: 2026-04-01 18:01:00']),
    'the first line a moment before the system noted the start': shown(LINES, ['process_started: 2026-04-01 18:02:16']),
    'no time in the log': shown(
      ['The server is fired up and ready to roll!'],
      ['process_started: 2026-04-02 07:58:00'],
    ),
    'no start that is told': shown(LINES, ['now: 2026-04-09 08:00:00']),
    'a start that cannot be read': shown(LINES, ['process_started: yesterday']),
    'an idle server that was started long ago': shown(LINES, ['now: 2026-04-09 08:00:00', 'uptime_s: 900000']),
  },
})
