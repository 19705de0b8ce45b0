import type { Refusal } from '../contract/engine-dialect.ts'

/** How SGLang says no (sglang.md 1.4, 1.5). */
export const REFUSALS: readonly Refusal[] = [
  refusal(
    400,
    'BadRequestError',
    "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
    'context',
  ),
  refusal(
    400,
    'BadRequest',
    "Requested token count exceeds the model's maximum context length of 8192 tokens.",
    'context',
  ),
  refusal(400, 'BadRequestError', '1 validation error: body.max_tokens: Input should be a valid integer', 'schema'),
  refusal(503, '503', 'The request queue is full.', 'overloaded'),
  refusal(503, '503', 'Request waiting timeout reached.', 'overloaded'),
  refusal(503, '503', 'Request running timeout reached.', 'overloaded'),
  refusal(500, 'InternalServerError', 'probability tensor contains either `inf`, `nan`', 'server'),
  refusal(500, 'InternalServerError', 'The request was aborted by the scheduler.', 'aborted'),
  {
    status: 404,
    body: '{"error":{"message":"The model `x` does not exist","type":"NotFound","code":"model_not_found"}}',
    kind: 'model-name',
    says: '`x`',
  },
  { status: 401, body: '{"error":"Unauthorized"}', kind: 'auth', says: 'Unauthorized' },
  { status: 403, body: '{"error":"Forbidden"}', kind: 'auth', says: 'Forbidden' },
  { status: 405, body: '{"detail":"Method Not Allowed"}', kind: 'route', says: 'Method Not Allowed' },
  { status: 503, body: '', kind: 'not-ready', says: '' },
  { status: 500, body: 'Internal Server Error', kind: 'server', says: 'Internal Server Error' },
]

/** An error beside nothing else: SGLang's to this day, vLLM's until 0.10. */
export function flat(status: number, type: string, message: string): object {
  return { object: 'error', message, type, param: null, code: status }
}

function refusal(status: number, type: string, message: string, kind: string): Refusal {
  return { status, body: JSON.stringify(flat(status, type, message)), kind, says: message }
}
