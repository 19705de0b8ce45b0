import type { Signature } from '../../domain/signature.ts'

/** A line that says that something died, and not of what. */
export interface Wrapper extends Signature {
  /** where the cause stands, for `missing` */
  readonly above: string
  /** an ordered stop leaves it too */
  readonly endsAStop?: true
}

const SCHEDULER =
  'the first “Scheduler hit an exception” of this start with its whole traceback; with several GPUs that of the rank that failed first'
const WORKER = 'the lines of the EngineCore and Worker processes above, up to the first exception'
const UNIT = 'the program’s own last 400 lines: journalctl -u UNIT -n 400, or its log file'
const RUNNER = 'what the runner itself printed before: journalctl -u ollama -n 400, or server.log'

export const WRAPPERS: readonly Wrapper[] = [
  {
    name: 'wrapper-engine-core',
    anchors: ['Engine core initialization failed', 'Engine process failed to start', 'EngineCore failed to start'],
    pattern: /Engine core initialization failed|Engine process failed to start|EngineCore failed to start/,
    example: 'RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}',
    nearMiss: 'Engine core initialization took 2.1 s',
    above: WORKER,
  },
  {
    name: 'wrapper-worker',
    anchors: [
      ...(['WorkerProc initialization failed', 'EngineCore encountered an issue'] as const),
      ...(['EngineDeadError', 'Background loop has errored', 'Worker failed with error'] as const),
      ...(['Engine loop is not running', 'WorkerProc hit an exception', 'died unexpectedly'] as const),
    ],
    pattern:
      /WorkerProc initialization failed|EngineCore encountered an issue|EngineDeadError|Background loop has errored|Worker failed with error|Engine loop is not running|WorkerProc hit an exception|(?:[Ww]orker|[Ee]ngine|[Pp]roc)[^\n]{0,60} died unexpectedly/,
    example:
      'Exception: WorkerProc initialization failed due to an exception in a background process. See stack trace for root cause.',
    nearMiss: 'WorkerProc initialization took 3 s',
    above: WORKER,
  },
  {
    name: 'wrapper-sigquit',
    anchors: ['igquit from a child', 'SIGQUIT received', 'Child process unexpectedly failed'],
    pattern: /[Ss]igquit from a child|SIGQUIT received|Child process unexpectedly failed/,
    example: '[t] Received sigquit from a child process. It usually means the child failed.',
    nearMiss: 'SIGQUIT is blocked',
    above: SCHEDULER,
  },
  {
    name: 'wrapper-rank-died',
    anchors: [
      'died during initialization',
      'scheduler is dead',
      'crashed with exit code',
      'Scheduler or DataParallelController',
    ],
    pattern:
      /died during initialization|scheduler is dead|[Ss]ubprocess \S{1,60} \(pid=\d+\) crashed with exit code|Scheduler or DataParallelController \d+ terminated/,
    example: 'RuntimeError: Rank 0 scheduler died during initialization (exit code: 1).',
    nearMiss: 'Rank 0 scheduler started during initialization',
    above: SCHEDULER,
  },
  {
    name: 'wrapper-see-above',
    anchors: ['see the error messages above', 'see the error message above', 'Application startup failed'],
    pattern: /see the error messages? above|Application startup failed/,
    example: 'RuntimeError: Initialization failed. Please see the error messages above.',
    nearMiss: 'Application startup complete.',
    above: SCHEDULER,
  },
  {
    name: 'wrapper-kill-tree',
    anchors: ['kill_process_tree called'],
    pattern: /kill_process_tree called/,
    example: '[t] kill_process_tree called: parent_pid=4242, include_parent=True, pid=4242',
    nearMiss: 'kill_process_tree is imported',
    above: SCHEDULER,
    endsAStop: true,
  },
  {
    name: 'wrapper-elastic',
    anchors: [
      'ChildFailedError',
      'elastic.multiprocessing',
      'of binary: ',
      'ProcessRaisedException',
      'ProcessExitedException',
    ],
    pattern:
      /ChildFailedError|elastic\.multiprocessing\S{0,40}[: ].{0,20}(?:failed|closing signal)|failed \(exitcode: -?\d+\).{0,60} of binary: |Process(?:Raised|Exited)Exception/,
    example:
      'E0101 10:00:00 elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 0 (pid: 42) of binary: /usr/bin/python3',
    nearMiss: 'the checksum of binary: /usr/bin/python3',
    above:
      'the traceback of the rank that failed first (run with TORCHELASTIC_ERROR_FILE set, or look for the lowest timestamp)',
  },
  {
    name: 'wrapper-unit',
    anchors: ['Failed with result', 'Main process exited, code='],
    pattern:
      /Failed with result '(?:exit-code|signal|core-dump)'|Main process exited, code=(?:exited, status=(?:1\/FAILURE|143|255)|killed, status=(?:9\/KILL|15\/TERM)|dumped, status=\d+\/\w+)/,
    example: "demo.service: Failed with result 'exit-code'.",
    nearMiss: "demo.service: Failed with result 'oom-kill'.",
    above: UNIT,
    endsAStop: true,
  },
  {
    name: 'wrapper-restarts',
    anchors: [
      'Scheduled restart job',
      'Start request repeated too quickly',
      'restarting failed container',
      'CrashLoopBackOff',
    ],
    pattern: /Scheduled restart job|Start request repeated too quickly|restarting failed container|CrashLoopBackOff/,
    example: 'demo.service: Scheduled restart job, restart counter is at 5.',
    nearMiss: 'Scheduled a restart for tonight',
    above: UNIT,
  },
  {
    name: 'wrapper-container',
    anchors: ['exited with code ', 'Exited ('],
    pattern: /\bexited with code (?!0\b)\d+|\bExited \((?!0\))\d+\)/,
    example: 'sglang-1 exited with code 1',
    nearMiss: 'sglang-1 exited with code 0',
    above: 'the container’s own last lines: docker logs --tail 400 NAME',
    endsAStop: true,
  },
  {
    name: 'wrapper-llama-load',
    anchors: ['failed to load model', 'exiting due to model loading error', 'error loading model'],
    pattern: /failed to load model|exiting due to model loading error|error loading model\s*(?:$|[,'"])/,
    example: "srv    load_model: failed to load model, '/srv/models/demo.gguf'",
    nearMiss: 'srv    load_model: loading model',
    above: 'the lines above of llama_model_load, ggml and the driver: the first “error” among them',
  },
  {
    name: 'wrapper-runner',
    anchors: ['llama runner process', 'llama runner terminated'],
    pattern:
      /llama runner (?:process has terminated: (?:exit status \d+|signal: \w+(?: \(core dumped\))?)|process no longer running|terminated)[^:]{0,40}$/,
    example: 'Error: llama runner process has terminated: exit status 2',
    nearMiss: 'Error: llama runner process has terminated: error loading model: unknown model architecture',
    above: RUNNER,
  },
]
