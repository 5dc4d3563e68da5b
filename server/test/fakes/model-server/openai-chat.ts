import { bearerOf, type Dialect, halves, headerOf, type ReceivedCall, serverSentEvent } from './dialect.ts';

const asked: Record<string, 'chat' | 'embedding' | 'rerank' | 'models'> = {
  '/chat/completions': 'chat',
  '/embeddings': 'embedding',
  '/rerank': 'rerank',
  '/models': 'models',
};

/** Chat completions, as OpenAI and most services have them. */
export const openAiChat: Dialect = {
  basePath: '/v1',
  streamType: 'text/event-stream',
  asks: ({ path }) => asked[path.replace(/^\/v1/, '')] ?? null,
  modelOf: ({ body }) => String(body.model),
  keyOf: bearerOf,
  isStream: ({ body }) => body.stream === true,
  stream({ chunks, tool, inputTokens, outputTokens }, model) {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      serverSentEvent({ id: 'c-1', created: 1, model, choices: [{ index: 0, delta, finish_reason }] });
    const calls =
      tool === undefined
        ? []
        : [
            chunk({
              tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: { name: tool.name, arguments: '' } }],
            }),
            ...halves(tool.arguments).map((piece) =>
              chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] }),
            ),
          ];
    const usage = {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    };
    return {
      head: [chunk({ role: 'assistant', content: '' })],
      pieces: chunks.map((content) => chunk({ content })),
      tail: [
        ...calls,
        chunk({}, tool === undefined ? 'stop' : 'tool_calls'),
        serverSentEvent({ id: 'c-1', created: 1, model, choices: [], usage }),
        Buffer.from('data: [DONE]\n\n'),
      ],
    };
  },
  whole: ({ chunks, tool, inputTokens, outputTokens }, model) => ({
    id: 'c-1',
    created: 1,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: chunks.join(''),
          ...(tool && {
            tool_calls: [
              {
                id: 'call-1',
                type: 'function',
                function: { name: tool.name, arguments: JSON.stringify(tool.arguments) },
              },
            ],
          }),
        },
        finish_reason: tool === undefined ? 'stop' : 'tool_calls',
      },
    ],
    usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
  }),
  embeddings: openAiEmbeddings,
  textsOf: ({ body }) => [body.input ?? []].flat() as string[],
  models: openAiModels,
  error: (status, message) => ({ error: { message, type: 'error', code: String(status) } }),
  unknownModel: (model) => ({ status: 404, message: `The model \`${model}\` does not exist` }),
};

/** The same at Azure, where the key has a different header and deployments are not listed. */
export const azure: Dialect = {
  ...openAiChat,
  basePath: '/openai/v1',
  asks: (call) => {
    const wanted = openAiChat.asks({ ...call, path: call.path.replace(/^\/openai\/v1/, '/v1') });
    return wanted === 'models' || wanted === 'rerank' ? null : wanted;
  },
  keyOf: headerOf('api-key'),
  unknownModel: () => ({ status: 404, message: 'DeploymentNotFound: The API deployment for this resource is missing' }),
};

export function openAiEmbeddings(vectors: number[][], { body }: ReceivedCall): object {
  return {
    object: 'list',
    model: body.model,
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: vectors.length, total_tokens: vectors.length },
  };
}

export function openAiModels(names: string[]): object {
  return { object: 'list', data: names.map((id) => ({ id, object: 'model', created: 1, owned_by: 'fake' })) };
}
