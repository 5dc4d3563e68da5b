import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { bedrock } from './bedrock.ts';
import type { Dialect, FakeAnswer, ReceivedCall } from './dialect.ts';
import { gemini } from './gemini.ts';
import { ollama } from './ollama.ts';
import { azure, openAiChat } from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';

/** The protocols that the fake speaks, by name. */
export const dialects = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
  azure,
  bedrock,
  ollama,
} as const satisfies Record<string, Dialect>;

/** The protocol of a requester. */
export function dialectNameOf(requester: string): keyof typeof dialects {
  const own: Record<string, keyof typeof dialects> = {
    'openai-responses': 'openai-responses',
    'anthropic-messages': 'anthropic',
    gemini: 'gemini',
    'azure-openai': 'azure',
    'amazon-bedrock': 'bedrock',
    'ollama-chat': 'ollama',
  };
  return own[requester] ?? 'openai-chat';
}

/** What the fake does with a request. */
export type ModelServerBehaviour =
  | ({ kind: 'answer' } & Partial<FakeAnswer>)
  | { kind: 'error'; status: number; message?: string; headers?: Record<string, string> }
  /** As the vendor refuses a name that it does not know. */
  | { kind: 'unknown-model' }
  /** After these chunks comes nothing. Without them not even the headers come. */
  | { kind: 'stall'; chunks?: string[] }
  /** After these chunks the connection breaks. */
  | { kind: 'cut'; chunks: string[] };

export interface ModelServer {
  /** As in a provider record. */
  base_url: string;
  /** Every request so far, oldest first. */
  requests: ReceivedCall[];
  /** The key of each request. */
  keys(): (string | null)[];
  behave(behaviour: ModelServerBehaviour | ((call: ReceivedCall, key: string | null) => ModelServerBehaviour)): void;
  close(): Promise<void>;
}

/** The models that the fake lists. */
export const listedModels = ['some-model', 'some-embedding'];
/** Length of its vectors. */
export const vectorLength = 4;

/** Starts a provider of models on a free loopback port, which speaks one protocol. */
export async function startModelServer(name: keyof typeof dialects): Promise<ModelServer> {
  const dialect: Dialect = dialects[name];
  const requests: ReceivedCall[] = [];
  let behaviour: Parameters<ModelServer['behave']>[0] = { kind: 'answer' };
  const server = createServer(async (request, response) => {
    const call = await received(request, response);
    requests.push(call);
    const key = dialect.keyOf(call.headers);
    respond(dialect, call, response, typeof behaviour === 'function' ? behaviour(call, key) : behaviour);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${dialect.basePath}`,
    requests,
    keys: () => requests.map(({ headers }) => dialect.keyOf(headers)),
    behave(next) {
      behaviour = next;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function received(request: IncomingMessage, response: ServerResponse): Promise<ReceivedCall> {
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  const text = Buffer.concat(await request.toArray()).toString();
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body, closed };
}

function respond(dialect: Dialect, call: ReceivedCall, response: ServerResponse, behaviour: ModelServerBehaviour) {
  const json = (status: number, body: object, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
  const refuse = (status: number, message: string, headers?: Record<string, string>) =>
    json(status, dialect.error(status, message), headers);
  const asked = dialect.asks(call);
  const model = dialect.modelOf(call);
  if (behaviour.kind === 'error') {
    return refuse(behaviour.status, behaviour.message ?? 'The fake refuses', behaviour.headers);
  }
  if (behaviour.kind === 'stall' && behaviour.chunks === undefined) return;
  if (asked === null || (asked === 'models') !== (call.method === 'GET')) return refuse(404, `No path ${call.path}`);
  if (behaviour.kind === 'unknown-model') {
    const { status, message } = dialect.unknownModel(model);
    return refuse(status, message);
  }
  if (behaviour.kind === 'cut' && asked !== 'chat') return response.socket?.destroy();
  switch (asked) {
    case 'models':
      return json(200, dialect.models?.(listedModels) ?? {});
    case 'embedding': {
      const texts = dialect.textsOf?.(call) ?? [];
      const vectors = texts.map((text) => Array.from({ length: vectorLength }, (_, index) => text.length + index));
      return json(200, dialect.embeddings?.(vectors, call) ?? {});
    }
    case 'rerank':
      return json(200, rankingOf(call));
    case 'chat':
      return chat(dialect, call, response, behaviour);
  }
}

function chat(
  dialect: Dialect,
  call: ReceivedCall,
  response: ServerResponse,
  behaviour: Extract<ModelServerBehaviour, { kind: 'answer' | 'stall' | 'cut' }>,
) {
  const { chunks = behaviour.kind === 'answer' && behaviour.tool ? [] : ['Hello', ' there', '.'] } = behaviour;
  const given = behaviour.kind === 'answer' ? behaviour : {};
  const answer: FakeAnswer = { inputTokens: 11, outputTokens: 3, ...given, chunks };
  const model = dialect.modelOf(call);
  if (!dialect.isStream(call)) {
    if (behaviour.kind === 'cut') return void response.socket?.destroy();
    if (behaviour.kind === 'stall') return;
    response.writeHead(200, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify(dialect.whole(answer, model)));
  }
  const { head, pieces, tail } = dialect.stream(answer, model);
  response.writeHead(200, { 'content-type': dialect.streamType });
  for (const piece of [...head, ...pieces]) response.write(piece);
  if (behaviour.kind === 'cut') return void response.write('', () => response.socket?.destroy());
  if (behaviour.kind === 'stall') return;
  for (const piece of tail) response.write(piece);
  response.end();
}

/** The longest documents first. */
function rankingOf({ body }: ReceivedCall): object {
  const documents = (body.documents ?? []) as string[];
  const results = documents
    .map((document, index) => ({ index, relevance_score: document.length }))
    .sort((left, right) => right.relevance_score - left.relevance_score);
  return { results: results.slice(0, (body.top_n as number | undefined) ?? results.length) };
}
