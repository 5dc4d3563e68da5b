import type { ModelAnswer } from '../../../core/model-api/model-question.ts';
import { responsePrefix } from '../../../core/model-api/response-chain.ts';
import { type AnsweredQuestion, type AnswerForm, secondsOf } from './answer-form.ts';
import type { Frame } from './event-stream.ts';

/** Request fields that a response repeats. */
export interface ResponseEcho {
  model: string;
  instructions?: string | null | undefined;
  previous_response_id?: string | null | undefined;
  store?: boolean | null | undefined;
  metadata?: Record<string, string> | null | undefined;
  user?: string | null | undefined;
  safety_identifier?: string | null | undefined;
}

/** Answers as responses. */
export function responseForm({ uuid, created_at }: AnsweredQuestion, request: ResponseEcho): AnswerForm {
  const { model, instructions, previous_response_id, store, metadata, user, safety_identifier } = request;
  const item_id = `msg_${uuid}`;
  const place = { item_id, output_index: 0, content_index: 0 };
  const response = {
    id: responsePrefix + uuid,
    object: 'response',
    created_at: secondsOf(created_at),
    background: false,
    error: null,
    incomplete_details: null,
    instructions: instructions ?? null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: metadata ?? {},
    model,
    output: [] as object[],
    parallel_tool_calls: true,
    previous_response_id: previous_response_id ?? null,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: safety_identifier ?? null,
    service_tier: 'default',
    status: 'in_progress',
    store: store ?? true,
    temperature: null,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'auto',
    tools: [],
    top_logprobs: 0,
    top_p: null,
    truncation: 'disabled',
    usage: null as object | null,
    user: user ?? null,
  };
  const complete = (answer: ModelAnswer) => ({
    ...response,
    ...statusOf(answer),
    output: [itemOf(item_id, statusOf(answer).status, [partOf(answer.text)])],
    usage: usageOf(answer),
  });
  let sequence_number = 0;
  const frame = (type: string, data: object): Frame => {
    const numbered = { event: type, data: { type, sequence_number, ...data } };
    sequence_number += 1;
    return numbered;
  };
  return {
    complete,
    begin: () => [
      frame('response.created', { response }),
      frame('response.in_progress', { response }),
      frame('response.output_item.added', { output_index: 0, item: itemOf(item_id, 'in_progress', []) }),
      frame('response.content_part.added', { ...place, part: partOf('') }),
    ],
    delta: (delta) => [frame('response.output_text.delta', { ...place, delta, logprobs: [] })],
    end: (answer) => {
      const { status } = statusOf(answer);
      return [
        frame('response.output_text.done', { ...place, text: answer.text, logprobs: [] }),
        frame('response.content_part.done', { ...place, part: partOf(answer.text) }),
        frame('response.output_item.done', { output_index: 0, item: itemOf(item_id, status, [partOf(answer.text)]) }),
        frame(`response.${status}`, { response: complete(answer) }),
      ];
    },
    failure: ({ error: { code, message } }) => [
      frame('response.failed', { response: { ...response, status: 'failed', error: { code, message } } }),
    ],
  };
}

function statusOf({ finish_reason }: ModelAnswer) {
  return finish_reason === 'content_filter'
    ? { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
    : { status: 'completed', incomplete_details: null };
}

function itemOf(id: string, status: string, content: object[]) {
  return { id, type: 'message', role: 'assistant', status, content };
}

function partOf(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function usageOf({ usage: { input_tokens, output_tokens } }: ModelAnswer) {
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  };
}
