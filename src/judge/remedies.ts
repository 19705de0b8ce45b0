/** Next steps that several rules name: the words that Pilotflame takes, beside the field of the API or the flag of the server. */

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
