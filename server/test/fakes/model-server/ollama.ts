import { bearerOf, type Dialect } from './dialect.ts';

const line = (json: object) => Buffer.from(`${JSON.stringify(json)}\n`);
const asked: Record<string, 'chat' | 'embedding' | 'models'> = {
  '/api/chat': 'chat',
  '/api/embed': 'embedding',
  '/api/tags': 'models',
};

/** The protocol of Ollama itself. */
export const ollama: Dialect = {
  basePath: '',
  streamType: 'application/x-ndjson',
  asks: ({ path }) => asked[path] ?? null,
  modelOf: ({ body }) => String(body.model),
  keyOf: bearerOf,
  isStream: ({ body }) => body.stream !== false,
  stream({ chunks, tool, inputTokens, outputTokens }, model) {
    const piece = (message: object) => line({ model, message: { role: 'assistant', ...message }, done: false });
    return {
      head: [],
      pieces: chunks.map((content) => piece({ content })),
      tail: [
        ...(tool === undefined ? [] : [piece({ content: '', tool_calls: [{ function: tool }] })]),
        line({
          model,
          message: { role: 'assistant', content: '' },
          done: true,
          done_reason: 'stop',
          prompt_eval_count: inputTokens,
          eval_count: outputTokens,
        }),
      ],
    };
  },
  whole: ({ chunks, tool, inputTokens, outputTokens }, model) => ({
    model,
    message: { role: 'assistant', content: chunks.join(''), ...(tool && { tool_calls: [{ function: tool }] }) },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: inputTokens,
    eval_count: outputTokens,
  }),
  embeddings: (embeddings, { body }) => ({ model: body.model, embeddings, prompt_eval_count: embeddings.length }),
  textsOf: ({ body }) => body.input as string[],
  models: (names) => ({ models: names.map((name) => ({ name, model: name, size: 1, details: { family: 'llama' } })) }),
  error: (_status, message) => ({ error: message }),
  unknownModel: (model) => ({ status: 404, message: `model "${model}" not found, try pulling it first` }),
};
