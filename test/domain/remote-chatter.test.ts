import { describe, expect, test } from 'vitest'
import { isChatter } from '../../src/domain/remote/text.ts'

describe('a line of standard error', () => {
  test.each([
    'bash: warning: setlocale: LC_ALL: cannot change locale (en_US.UTF-8)',
    'perl: warning: Setting locale failed.',
    'perl: warning: Please check that your locale settings:',
    '\tLC_ALL = (unset),',
    'perl: warning: Falling back to the standard locale ("C").',
    'perl: warning: Falling back to a fallback locale ("en_US.UTF-8").',
    "manpath: can't set the locale; make sure $LC_* and $LANG are correct",
    'mesg: ttyname failed: Inappropriate ioctl for device',
    'X11 forwarding request failed on channel 0',
    'Warning: No xauth data; using fake authentication data for X11 forwarding.',
    'sudo: unable to resolve host gpu-7: Name or service not known',
    "ERROR: ld.so: object '/usr/lib/libjemalloc.so' from LD_PRELOAD cannot be preloaded (cannot open shared object file): ignored.",
    '/bin/sh: /opt/lib/libtinfo.so.6: no version information available (required by /bin/sh)',
    'groups: cannot find name for group ID 1003',
    'stdin: is not a tty',
  ])('chatter: %s', (line) => {
    expect(isChatter(line)).toBe(true)
  })

  test.each([
    'Failed to initialize NVML: Driver/library version mismatch',
    'bash: nvidia-smi: command not found',
    'WARNING: infoROM is corrupted at gpu 0000:01:00.0',
    'nvidia-smi: error while loading shared libraries: libnvidia-ml.so.1: cannot open shared object file: No such file or directory',
    'sudo: a password is required',
    'cat: /etc/llm.env: Permission denied',
  ])('a complaint: %s', (line) => {
    expect(isChatter(line)).toBe(false)
  })
})
