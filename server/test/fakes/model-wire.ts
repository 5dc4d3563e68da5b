import { frame } from './model-server/bedrock.ts';
import { serverSentEvent } from './model-server/dialect.ts';
import type { dialects } from './model-server/index.ts';

/** One response of a model, in the terms that all protocols share. */
export interface WireAnswer {
  reasoning: string[];
  /** Of the reasoning, and of tool calls where a protocol signs them. */
  signature: string;
  text: string[];
  /** Arguments as the model writes them; protocols whose arguments are objects get those that are none as text. */
  calls: { id: string; name: string; input: string }[];
  /** Base64. Only Gemini returns files in a chat. */
  file: { mediaType: string; data: string } | null;
}

type Writer = (answer: WireAnswer) => Uint8Array[];

const usage = { prompt_tokens: 21, completion_tokens: 7, total_tokens: 28 };
const halves = (text: string) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];

/** The bytes of a streamed response in each protocol, as its own documentation has it, in chunks. */
export const wireWriters: Record<keyof typeof dialects, Writer> = {
  'openai-chat': (answer) => chatCompletion(answer, true),
  azure: (answer) => chatCompletion(answer, false),
  'openai-responses': responses,
  anthropic: messages,
  gemini: generateContent,
  bedrock: converse,
  ollama: ollamaChat,
};

const faultOf = (message: string) => ({ error: { type: 'overloaded_error', code: 503, message } });

/** What each protocol sends in place of the rest when its service fails in the middle of a response. */
export const wireFaults: Record<keyof typeof dialects, (message: string) => Uint8Array> = {
  'openai-chat': (message) => serverSentEvent(faultOf(message)),
  azure: (message) => serverSentEvent(faultOf(message)),
  'openai-responses': (message) =>
    serverSentEvent({ type: 'error', sequence_number: 99, code: 'server_error', message, param: null }, 'error'),
  anthropic: (message) => serverSentEvent({ type: 'error', ...faultOf(message) }, 'error'),
  gemini: (message) => serverSentEvent({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
  bedrock: (message) => frame('throttlingException', { message }),
  ollama: (message) => Buffer.from(`${JSON.stringify({ error: message })}\n`),
};

function chatCompletion({ reasoning, text, calls, signature }: WireAnswer, hasReasoning: boolean): Uint8Array[] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    serverSentEvent({ id: 'c-1', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(hasReasoning ? reasoning.map((reasoning_content) => chunk({ reasoning_content })) : []),
    ...text.map((content) => chunk({ content })),
    ...calls.flatMap(({ id, name, input }, index) => [
      chunk({
        tool_calls: [
          {
            index,
            id,
            type: 'function',
            function: { name, arguments: '' },
            ...(signature === '' ? {} : { extra_content: { google: { thought_signature: signature } } }),
          },
        ],
      }),
      ...halves(input).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]),
    chunk({}, calls.length === 0 ? 'stop' : 'tool_calls'),
    serverSentEvent({ id: 'c-1', created: 1, model: 'm', choices: [], usage }),
    Buffer.from('data: [DONE]\n\n'),
  ];
}

function responses({ reasoning, signature, text, calls }: WireAnswer): Uint8Array[] {
  const events: Uint8Array[] = [];
  const send = (type: string, fields: object) =>
    events.push(serverSentEvent({ type, sequence_number: events.length, ...fields }, type));
  const response = { id: 'resp-1', object: 'response', created_at: 1, model: 'm', status: 'in_progress', output: [] };
  let output_index = 0;
  const item = (added: object, done: object, between: () => void) => {
    send('response.output_item.added', { output_index, item: added });
    between();
    send('response.output_item.done', { output_index, item: done });
    output_index += 1;
  };
  send('response.created', { response });
  if (reasoning.length > 0) {
    const thought = { type: 'reasoning', id: 'rs-1', encrypted_content: signature };
    const place = { item_id: 'rs-1', output_index, summary_index: 0 };
    item(
      { ...thought, summary: [] },
      { ...thought, summary: [{ type: 'summary_text', text: reasoning.join('') }] },
      () => {
        send('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } });
        for (const delta of reasoning) send('response.reasoning_summary_text.delta', { ...place, delta });
        send('response.reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text: '' } });
      },
    );
  }
  if (text.length > 0) {
    const message = { type: 'message', id: 'msg-1', role: 'assistant', content: [] };
    item({ ...message, status: 'in_progress' }, { ...message, status: 'completed' }, () => {
      const place = { item_id: 'msg-1', output_index, content_index: 0 };
      for (const delta of text) send('response.output_text.delta', { ...place, delta, logprobs: [] });
    });
  }
  for (const { id, name, input } of calls) {
    const call = { type: 'function_call', id: `fc-${id}`, call_id: id, name };
    const place = { item_id: call.id, output_index };
    item({ ...call, arguments: '', status: 'in_progress' }, { ...call, arguments: input, status: 'completed' }, () => {
      for (const delta of halves(input)) send('response.function_call_arguments.delta', { ...place, delta });
      send('response.function_call_arguments.done', { ...place, arguments: input });
    });
  }
  const counted = { input_tokens: 21, output_tokens: 7, total_tokens: 28 };
  send('response.completed', { response: { ...response, status: 'completed', usage: counted } });
  return events;
}

function messages({ reasoning, signature, text, calls }: WireAnswer): Uint8Array[] {
  const event = (type: string, fields: object) => serverSentEvent({ type, ...fields }, type);
  const message = { id: 'msg-1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
  let index = -1;
  const block = (content_block: object, deltas: object[]) => {
    index += 1;
    const place = { index };
    return [
      event('content_block_start', { ...place, content_block }),
      ...deltas.map((delta) => event('content_block_delta', { ...place, delta })),
      event('content_block_stop', place),
    ];
  };
  const thoughts = reasoning.map((thinking) => ({ type: 'thinking_delta', thinking }));
  return [
    event('message_start', { message: { ...message, usage: { input_tokens: 21, output_tokens: 0 } } }),
    ...(reasoning.length === 0
      ? []
      : [
          ...block({ type: 'thinking', thinking: '' }, [...thoughts, { type: 'signature_delta', signature }]),
          ...block({ type: 'redacted_thinking', data: `hidden ${signature}` }, []),
        ]),
    ...(text.length === 0
      ? []
      : block(
          { type: 'text', text: '' },
          text.map((piece) => ({ type: 'text_delta', text: piece })),
        )),
    ...calls.flatMap(({ id, name, input }) =>
      block(
        { type: 'tool_use', id, name, input: {} },
        halves(input).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      ),
    ),
    event('message_delta', {
      delta: { stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: 7 },
    }),
    event('message_stop', {}),
  ];
}

function generateContent({ reasoning, signature, text, calls, file }: WireAnswer): Uint8Array[] {
  const chunk = (parts: object[], more: object = {}, fields: object = {}) =>
    serverSentEvent({
      candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
      modelVersion: 'm',
      ...fields,
    });
  const signed = signature === '' ? {} : { thoughtSignature: signature };
  return [
    ...reasoning.map((thought) => chunk([{ text: thought, thought: true, ...signed }])),
    ...text.map((piece, index) => chunk([{ text: piece, ...(index === 0 ? {} : signed) }])),
    ...(file === null ? [] : [chunk([{ inlineData: { mimeType: file.mediaType, data: file.data } }])]),
    ...calls.map(({ id, name, input }) =>
      chunk([{ functionCall: { id, name, args: objectOf(input) ?? { raw: input } }, ...signed }]),
    ),
    chunk(
      [],
      { finishReason: 'STOP' },
      { usageMetadata: { promptTokenCount: 21, candidatesTokenCount: 7, totalTokenCount: 28 } },
    ),
  ];
}

function converse({ reasoning, signature, text, calls }: WireAnswer): Uint8Array[] {
  let contentBlockIndex = -1;
  const block = (start: object | null, deltas: object[]) => {
    contentBlockIndex += 1;
    const place = { contentBlockIndex };
    return [
      ...(start === null ? [] : [frame('contentBlockStart', { ...place, start })]),
      ...deltas.map((delta) => frame('contentBlockDelta', { ...place, delta })),
      frame('contentBlockStop', place),
    ];
  };
  const thoughts = reasoning.map((thought) => ({ reasoningContent: { text: thought } }));
  return [
    frame('messageStart', { role: 'assistant' }),
    ...(reasoning.length === 0 ? [] : block(null, [...thoughts, { reasoningContent: { signature } }])),
    ...(text.length === 0
      ? []
      : block(
          null,
          text.map((piece) => ({ text: piece })),
        )),
    ...calls.flatMap(({ id, name, input }) =>
      block(
        { toolUse: { toolUseId: id, name } },
        halves(input).map((part) => ({ toolUse: { input: part } })),
      ),
    ),
    frame('messageStop', { stopReason: calls.length === 0 ? 'end_turn' : 'tool_use' }),
    frame('metadata', { usage: { inputTokens: 21, outputTokens: 7, totalTokens: 28 }, metrics: { latencyMs: 1 } }),
  ];
}

function ollamaChat({ reasoning, text, calls }: WireAnswer): Uint8Array[] {
  const line = (message: object, more: object = { done: false }) =>
    Buffer.from(`${JSON.stringify({ model: 'm', message: { role: 'assistant', ...message }, ...more })}\n`);
  const called = calls.map(({ name, input }) => ({ function: { name, arguments: objectOf(input) ?? input } }));
  return [
    ...reasoning.map((thinking) => line({ content: '', thinking })),
    ...text.map((content) => line({ content })),
    ...(called.length === 0 ? [] : [line({ content: '', tool_calls: called })]),
    line({ content: '' }, { done: true, done_reason: 'stop', prompt_eval_count: 21, eval_count: 7 }),
  ];
}

function objectOf(text: string): object | null {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
