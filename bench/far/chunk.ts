/** One chunk of a stream as SGLang sends it, before 0.5.13. */
export const CHUNK = {
  id: '0f3c9a1b2d4e4f6a8b7c6d5e4f3a2b1c',
  object: 'chat.completion.chunk',
  created: 1780000000,
  model: 'qwen3.6-27b',
  choices: [
    {
      index: 0,
      delta: { role: null, content: ' word', reasoning_content: null, tool_calls: null },
      logprobs: null,
      finish_reason: null,
      matched_stop: null,
    },
  ],
  usage: null,
}
