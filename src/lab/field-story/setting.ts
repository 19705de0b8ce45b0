/** With what the field story's server is started: the lines of its serve.sh, its unit and its environment. */
export interface Setting {
  readonly version: '0.5.9' | '0.5.11'
  readonly memFraction: number
  readonly maxRunning: number
  readonly mambaRatio: number
  readonly attention: 'flashinfer' | 'triton'
  readonly mamba: 'no_buffer' | 'extra_buffer'
  /** `process`: a stop ends serve.sh only, and what it started lives on */
  readonly killMode: 'process' | 'control-group'
}

/** As the team moved in. */
export const FIRST_SETTING: Setting = {
  version: '0.5.9',
  memFraction: 0.85,
  maxRunning: 48,
  mambaRatio: 0.9,
  attention: 'flashinfer',
  mamba: 'no_buffer',
  killMode: 'process',
}

export const MODEL = 'Qwen3.6-27B'
export const MODEL_PATH = `/srv/models/${MODEL}`
/** of the box: where its server listens */
export const PORT = 30_000
