import { type Dialect, headerOf, type ReceivedCall, serverSentEvent } from './dialect.ts';

const place = ({ path }: ReceivedCall) => /^\/v1beta\/models\/([^:]+):(\w+)/.exec(path) ?? [];

/** The protocol of Google's Gemini. */
export const gemini: Dialect = {
  basePath: '/v1beta',
  streamType: 'text/event-stream',
  asks(call) {
    const [, , method] = place(call);
    if (method === undefined) return call.path.startsWith('/v1beta/models') ? 'models' : null;
    return method.endsWith('GenerateContent') || method === 'generateContent' ? 'chat' : 'embedding';
  },
  modelOf: (call) => decodeURIComponent(place(call)[1] ?? ''),
  keyOf: headerOf('x-goog-api-key'),
  isStream: (call) => place(call)[2] === 'streamGenerateContent',
  stream(answer, model) {
    const said = answer.chunks.map((text) =>
      serverSentEvent({ candidates: [candidate([{ text }])], modelVersion: model }),
    );
    return { head: [], pieces: said, tail: [serverSentEvent(finished(answer, model, toolParts(answer.tool)))] };
  },
  whole: (answer, model) => finished(answer, model, [{ text: answer.chunks.join('') }, ...toolParts(answer.tool)]),
  embeddings: (vectors, call) =>
    place(call)[2] === 'embedContent'
      ? { embedding: { values: vectors[0] } }
      : { embeddings: vectors.map((values) => ({ values })) },
  textsOf({ body }) {
    const requests = (body.requests ?? [body]) as { content: { parts: { text: string }[] } }[];
    return requests.map(({ content }) => content.parts.map(({ text }) => text).join(''));
  },
  models: (names) => ({
    models: [
      ...names.map((name) => ({
        name: `models/${name}`,
        displayName: name.toUpperCase(),
        supportedGenerationMethods: [name.includes('embed') ? 'embedContent' : 'generateContent', 'countTokens'],
      })),
      { name: 'models/paints-only', supportedGenerationMethods: ['predict'] },
    ],
  }),
  error: (status, message) => ({ error: { code: status, message, status: 'ERROR' } }),
  unknownModel: (model) => ({ status: 404, message: `models/${model} is not found for API version v1beta` }),
};

function candidate(parts: object[], more: object = {}) {
  return { content: { role: 'model', parts }, index: 0, ...more };
}

function toolParts(tool: { name: string; arguments: object } | undefined): object[] {
  return tool === undefined ? [] : [{ functionCall: { name: tool.name, args: tool.arguments } }];
}

function finished(
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  model: string,
  parts: object[],
) {
  return {
    candidates: [candidate(parts, { finishReason: 'STOP' })],
    modelVersion: model,
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
  };
}
