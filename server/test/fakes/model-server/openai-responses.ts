import { bearerOf, type Dialect, halves, serverSentEvent } from './dialect.ts';
import { openAiChat, openAiEmbeddings, openAiModels } from './openai-chat.ts';

const asked: Record<string, 'chat' | 'embedding' | 'models'> = {
  '/v1/responses': 'chat',
  '/v1/embeddings': 'embedding',
  '/v1/models': 'models',
};

/** The Responses protocol of OpenAI. */
export const openAiResponses: Dialect = {
  basePath: '/v1',
  streamType: 'text/event-stream',
  asks: ({ path }) => asked[path] ?? null,
  modelOf: ({ body }) => String(body.model),
  keyOf: bearerOf,
  isStream: ({ body }) => body.stream === true,
  stream({ chunks, tool, inputTokens, outputTokens }, model) {
    let number = 0;
    const event = (type: string, fields: object) => {
      number += 1;
      return serverSentEvent({ type, sequence_number: number, ...fields }, type);
    };
    const message = { type: 'message', id: 'msg-1', role: 'assistant', status: 'in_progress', content: [] };
    const response = { id: 'resp-1', object: 'response', created_at: 1, model, status: 'in_progress', output: [] };
    const usage = { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
    const place = { output_index: 0, item_id: 'msg-1', content_index: 0 };
    return {
      head: [
        event('response.created', { response }),
        event('response.output_item.added', { output_index: 0, item: message }),
      ],
      pieces: chunks.map((delta) => event('response.output_text.delta', { ...place, delta, logprobs: [] })),
      tail: [
        event('response.output_item.done', { output_index: 0, item: { ...message, status: 'completed' } }),
        ...(tool === undefined ? [] : toolEvents(tool, event)),
        event('response.completed', { response: { ...response, status: 'completed', usage } }),
      ],
    };
  },
  whole: ({ chunks, tool, inputTokens, outputTokens }, model) => ({
    id: 'resp-1',
    object: 'response',
    created_at: 1,
    model,
    status: 'completed',
    output: [
      {
        type: 'message',
        id: 'msg-1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: chunks.join(''), annotations: [] }],
      },
      ...(tool === undefined ? [] : [calledTool(tool)]),
    ],
    usage: { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
  }),
  embeddings: openAiEmbeddings,
  textsOf: openAiChat.textsOf as NonNullable<Dialect['textsOf']>,
  models: openAiModels,
  error: openAiChat.error,
  unknownModel: openAiChat.unknownModel,
};

type Tool = { name: string; arguments: object };

function calledTool(tool: Tool) {
  return {
    type: 'function_call',
    id: 'fc-1',
    call_id: 'call-1',
    name: tool.name,
    arguments: JSON.stringify(tool.arguments),
    status: 'completed',
  };
}

function toolEvents(tool: Tool, event: (type: string, fields: object) => Uint8Array): Uint8Array[] {
  const call = calledTool(tool);
  const place = { output_index: 1, item_id: call.id };
  return [
    event('response.output_item.added', {
      output_index: 1,
      item: { ...call, arguments: '', status: 'in_progress' },
    }),
    ...halves(tool.arguments).map((delta) => event('response.function_call_arguments.delta', { ...place, delta })),
    event('response.function_call_arguments.done', { ...place, arguments: call.arguments }),
    event('response.output_item.done', { output_index: 1, item: call }),
  ];
}
