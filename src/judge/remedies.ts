/** Next steps that several rules name: the words that Pilotflame takes, beside the field of the API or the flag of the server. */

/** A flag with the value that it should have, which can be copied as it stands, and the one that it has. */
export function insteadOf(setting: string, now: number | string | null): string {
  return now === null ? setting : `${setting} instead of ${now}`
}

/** How a budget is given; the figure can be copied as it stands. */
export function withBudget(tokens: number): string {
  return `retry max_tokens=${tokens} in the thread, --max-tokens ${tokens} in the terminal`
}

export const THINKING_OFF =
  'retry think=off in the thread, --think off in the terminal (API: chat_template_kwargs {"enable_thinking": false})'

export const NO_STREAM = '--no-stream (API: "stream": false)'

export const LARGER_CONTEXT =
  'start the server with a larger context (SGLang --context-length, vLLM --max-model-len, llama.cpp -c)'

/** What the model wrote, before any parser took it apart; `raw` shows what the server made of it. */
export const UNPARSED =
  'POST the prompt to /generate (SGLang) or /v1/completions to see what the model wrote before the parser'

export const ENGINE_LOG = 'Read the engine log of this minute and walk up to the first exception.'

/** Lists the processes that hold memory of a GPU. */
export const GPU_HOLDERS = 'nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv'

/** Owner, age and unit of a process. */
export function lookAt(pid: string): string {
  return `ps -o pid,ppid,user,lstart,unit,cmd -p ${pid}`
}

const AFTER = 'then start again. Do not tune memory flags.'

/** What ends one process and no other; the owner, the age and the unit are looked at before. */
export function endOf(pid: string | null): string {
  return pid === null
    ? `List who holds the memory: ${GPU_HOLDERS}. See first whose each is, by ${lookAt('PID')}. Only one that is yours and no longer needed, end: kill PID. Wait until its memory is free, ${AFTER}`
    : `See first whose it is, on the host by ${lookAt(pid)}. Only if it is yours and no longer needed, end it: kill ${pid}. Wait until nvidia-smi shows its memory free, ${AFTER}`
}

/** Takes the module of an upgraded driver into the kernel; what is before it says where and when. */
export const RELOAD_DRIVER =
  'stop all that uses the GPUs and reboot; or without a reboot: sudo systemctl stop nvidia-persistenced, sudo rmmod nvidia_uvm nvidia_drm nvidia_modeset nvidia, sudo modprobe nvidia.'

/** Of a card that works again after a reset: its index or address, null where nobody names it. */
export function resetOf(gpu: string | null): string {
  return `Stop all that uses the card, then sudo nvidia-smi --gpu-reset -i ${gpu ?? 'GPU'} (with NVLink: all GPUs of the board); where that is refused, reboot the host.`
}
