import { expect, test } from 'vitest'
import { withoutRequest } from '../../src/domain/redact/requests.ts'

test.each([
  [
    "[2026-05-01 10:00:00] Receive: obj=GenerateReqInput(rid='1', text='my salary is 4', sampling_params={})",
    '[2026-05-01 10:00:00] Receive: obj=GenerateReqInput([request hidden]',
  ],
  [
    "INFO 05-01 10:00:00 [logger.py:43] Received request chatcmpl-1: prompt: 'my salary is 4', params: SamplingParams(n=1), prompt_token_ids: [1]",
    'INFO 05-01 10:00:00 [logger.py:43] Received request chatcmpl-1: [request hidden]',
  ],
  [
    'srv  log_server_r: request:  {"messages":[{"content":"my salary is 4"}]}',
    'srv  log_server_r: request:  [request hidden]',
  ],
  [
    'time=2026-05-01T10:00:00Z level=DEBUG msg="chat request" images=0 prompt="<|user|>my salary is 4"',
    'time=2026-05-01T10:00:00Z level=DEBUG msg="chat request" images=0 prompt=[request hidden]',
  ],
  ['body {"model":"q","messages":[{"content":"my salary is 4"}]}', 'body {"model":"q","messages":[request hidden]'],
  [
    "Finish: obj=GenerateReqInput(text='x'), out={'text': 'my salary is 4\nand more'}",
    'Finish: obj=GenerateReqInput([request hidden]',
  ],
  ['{"role":"user","content":"my salary is 4"}', '{"role":"user","content":[request hidden]'],
  [
    '{"log":"{\\"role\\":\\"user\\",\\"content\\":\\"my salary is 4"}',
    '{"log":"{\\"role\\":\\"user\\",\\"content\\":[request hidden]',
  ],
  ['DEBUG body={"input": "my salary is 4"}', 'DEBUG body={"input": [request hidden]'],
  ["req: text='my salary is 4'", 'req: text=[request hidden]'],
  ['slot launch: prompt: my salary is 4', 'slot launch: prompt: [request hidden]'],
  ['slot launch: prompt: 4 is my salary', 'slot launch: prompt: [request hidden]'],
  ['slot launch: prompt: 4, my salary', 'slot launch: prompt: [request hidden]'],
  ['text="my salary", Received request cmpl-1: ', 'text=[request hidden]'],
])('what other people asked is hidden: %s', (line, kept) => {
  expect(withoutRequest(line)).toBe(kept)
  expect(withoutRequest(kept)).toBe(kept)
})

test.each([
  'INFO:     127.0.0.1:5555 - "POST /v1/chat/completions HTTP/1.1" 200 OK',
  'srv  log_server_r: request: POST /v1/chat/completions 127.0.0.1 200',
  '[t TP0] Prefill batch. #new-seq: 1, #new-token: 300, #cached-token: 0',
  'slot update_slots: id  0 | task 0 | prompt processing progress, n_tokens = 2048',
  'srv update: - prompt: 512 tokens, checkpoints: 0',
  'usage: prompt: 12, completion: 5',
  'Prompt: None',
  'TypeError: Invalid input: expected a text of at most 4 characters',
  'content-type: application/json',
  'INFO Avg prompt throughput: 12.5 tokens/s',
  'ValueError: The decoder prompt (length 9000) is longer than the maximum model length of 8192.',
])('what the engine says of itself stays: %s', (line) => {
  expect(withoutRequest(line)).toBe(line)
})
