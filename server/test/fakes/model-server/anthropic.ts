import { type Dialect, halves, headerOf, serverSentEvent } from './dialect.ts';

const event = (data: { type: string; [field: string]: unknown }) => serverSentEvent(data, data.type);

/** The Messages protocol of Anthropic. */
export const anthropic: Dialect = {
  basePath: '',
  streamType: 'text/event-stream',
  asks: ({ path }) => (path === '/v1/messages' ? 'chat' : path.startsWith('/v1/models') ? 'models' : null),
  modelOf: ({ body }) => String(body.model),
  keyOf: headerOf('x-api-key'),
  isStream: ({ body }) => body.stream === true,
  stream({ chunks, tool, inputTokens, outputTokens }, model) {
    const message = {
      id: 'msg-1',
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      usage: { input_tokens: inputTokens, output_tokens: 0 },
    };
    const toolEvents =
      tool === undefined
        ? []
        : [
            event({
              type: 'content_block_start',
              index: 1,
              content_block: { type: 'tool_use', id: 'call-1', name: tool.name, input: {} },
            }),
            ...halves(tool.arguments).map((partial_json) =>
              event({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json } }),
            ),
            event({ type: 'content_block_stop', index: 1 }),
          ];
    return {
      head: [
        event({ type: 'message_start', message }),
        event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      ],
      pieces: chunks.map((text) =>
        event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
      ),
      tail: [
        event({ type: 'content_block_stop', index: 0 }),
        ...toolEvents,
        event({
          type: 'message_delta',
          delta: { stop_reason: tool === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
          usage: { output_tokens: outputTokens },
        }),
        event({ type: 'message_stop' }),
      ],
    };
  },
  whole: ({ chunks, tool, inputTokens, outputTokens }, model) => ({
    id: 'msg-1',
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(chunks.length === 0 ? [] : [{ type: 'text', text: chunks.join('') }]),
      ...(tool === undefined ? [] : [{ type: 'tool_use', id: 'call-1', name: tool.name, input: tool.arguments }]),
    ],
    stop_reason: tool === undefined ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens },
  }),
  models: (names) => ({
    data: names.map((id) => ({
      type: 'model',
      id,
      display_name: id.toUpperCase(),
      created_at: '2026-01-01T00:00:00Z',
    })),
    has_more: false,
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
  }),
  error: (status, message) => ({
    type: 'error',
    error: {
      type: status === 404 ? 'not_found_error' : status === 401 ? 'authentication_error' : 'api_error',
      message,
    },
  }),
  unknownModel: (model) => ({ status: 404, message: `model: ${model}` }),
};
