import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

interface FakeUsage {
  prompt_tokens: number;
  completion_tokens: number;
}

/** A tool that the fake wants to be called. */
export interface FakeToolCall {
  name: string;
  /** An object, or a text that is sent as it is. */
  arguments: unknown;
  /** Default `call-1`, `call-2`, … */
  id?: string;
}

/** What the fake does with a request. Milliseconds wherever a delay is meant. */
export type FakeOpenAiBehaviour =
  /** A complete answer. `usage` null omits it, as some servers do. */
  | {
      kind: 'answer';
      chunks?: string[];
      reasoning?: string[];
      delayMs?: number;
      /** Time before even the headers come. */
      headersAfterMs?: number;
      usage?: FakeUsage | null;
    }
  /** After these chunks, none by default, tools are to be called. */
  | { kind: 'tool_calls'; calls: FakeToolCall[]; chunks?: string[]; usage?: FakeUsage | null }
  /** A refusal before anything was written. */
  | { kind: 'error'; status: number; message?: string; body?: string; headers?: Record<string, string> }
  /** The connection breaks after these chunks, and after these calls of tools. */
  | { kind: 'cut'; chunks?: string[]; calls?: FakeToolCall[] }
  /** The stream ends in good order, but without a finish reason. */
  | { kind: 'unfinished'; chunks?: string[] }
  /** After these chunks comes an event that is not JSON. */
  | { kind: 'malformed'; chunks?: string[] }
  /** After these chunks comes an error event, as gateways send when the model behind them fails. */
  | { kind: 'stream-error'; chunks?: string[]; message: string; code?: string | number }
  /** After these chunks comes nothing until the client leaves. Without `chunks` not even the headers come. */
  | { kind: 'stall'; chunks?: string[] };

/** A request as it arrived. */
export interface FakeOpenAiRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The parsed JSON body; undefined when it was not JSON. */
  body: Record<string, unknown> | undefined;
  /** Resolves when the connection of this request is closed, by either side. */
  closed: Promise<void>;
}

export interface FakeOpenAi {
  /** The address a provider record would hold, `http://127.0.0.1:<port>/v1`. */
  base_url: string;
  /** Every request so far, oldest first. */
  requests: FakeOpenAiRequest[];
  /** Changes what the following requests meet. A function decides for each, by the number of earlier requests. */
  behave(behaviour: FakeOpenAiBehaviour | ((index: number) => FakeOpenAiBehaviour)): void;
  /** The names that `GET /v1/models` lists; until then it answers 404, as servers without a list. */
  offer(models: readonly string[]): void;
  port: number;
  /** Closes the server and every connection. */
  close(): Promise<void>;
}

/** Length of the vectors that the fake answers with. */
export const fakeDimension = 8;

const paths = new Set(['/v1/chat/completions', '/v1/embeddings', '/v1/rerank']);
const defaultChunks = ['Hello', ' from', ' the', ' fake', ' model', '.'];

/**
 * Starts an OpenAI-compatible server on a free loopback port. It answers `POST /v1/chat/completions`, as a stream when
 * the body asks for one, `POST /v1/embeddings`, `POST /v1/rerank` and, once it offers models, `GET /v1/models`, and 404
 * elsewhere.
 * @param port to listen on, where it must be the one that another fake had
 */
export async function startFakeOpenAi(
  behaviour: FakeOpenAiBehaviour | ((index: number) => FakeOpenAiBehaviour) = { kind: 'answer' },
  port = 0,
): Promise<FakeOpenAi> {
  const requests: FakeOpenAiRequest[] = [];
  let current = behaviour;
  let offered: readonly string[] | null = null;

  const server = createServer(async (request, response) => {
    const recorded = await record(request, response);
    const index = requests.push(recorded) - 1;
    if (recorded.method === 'GET' && recorded.path === '/v1/models' && offered !== null) {
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ object: 'list', data: offered.map((id) => ({ id, object: 'model' })) }));
    }
    if (recorded.method !== 'POST' || !paths.has(recorded.path)) {
      return sendError(response, { kind: 'error', status: 404, message: `Unknown path ${recorded.path}` });
    }
    const next = typeof current === 'function' ? current(index) : current;
    if (next.kind === 'error') return sendError(response, next);
    if (next.kind === 'answer' && next.headersAfterMs !== undefined) await delay(next.headersAfterMs);
    if (response.destroyed) return;
    if (recorded.body?.stream === true) return stream(response, next, recorded);
    return answerWhole(response, next, recorded);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;

  return {
    base_url: `http://127.0.0.1:${address.port}/v1`,
    port: address.port,
    requests,
    behave(next) {
      current = next;
    },
    offer(models) {
      offered = models;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function record(request: IncomingMessage, response: ServerResponse): Promise<FakeOpenAiRequest> {
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  const text = Buffer.concat(await request.toArray()).toString();
  let body: Record<string, unknown> | undefined;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    body = undefined;
  }
  return { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body, closed };
}

function sendError(response: ServerResponse, behaviour: FakeOpenAiBehaviour & { kind: 'error' }): void {
  const { status, message = 'The fake refuses', body, headers } = behaviour;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body ?? JSON.stringify({ error: { message, type: 'fake_error', code: null } }));
}

const identity = (request: FakeOpenAiRequest) => ({
  id: 'chatcmpl-fake',
  created: 1_700_000_000,
  model: request.body?.model ?? 'unknown',
});

const usageOf = (behaviour: FakeOpenAiBehaviour & { kind: 'answer' | 'tool_calls' }, chunks: string[]) => {
  if (behaviour.usage === null) return undefined;
  const { prompt_tokens, completion_tokens } = behaviour.usage ?? {
    prompt_tokens: 7,
    completion_tokens: chunks.length,
  };
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
};

async function stream(
  response: ServerResponse,
  behaviour: Exclude<FakeOpenAiBehaviour, { kind: 'error' }>,
  request: FakeOpenAiRequest,
): Promise<void> {
  if (behaviour.kind === 'stall' && behaviour.chunks === undefined) return;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const write = (event: unknown) =>
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  const chunk = (delta: object, finishReason: string | null = null, rest: object = {}) =>
    write({
      ...identity(request),
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finishReason }],
      ...rest,
    });

  const chunks = chunksOf(behaviour);
  chunk({ role: 'assistant', content: '' });
  if (behaviour.kind === 'answer') {
    for (const reasoning of behaviour.reasoning ?? []) chunk({ reasoning_content: reasoning });
  }
  for (const content of chunks) {
    if (behaviour.kind === 'answer' && behaviour.delayMs !== undefined) await delay(behaviour.delayMs);
    if (response.destroyed) return;
    chunk({ content });
  }

  switch (behaviour.kind) {
    case 'tool_calls':
    case 'answer': {
      if (behaviour.kind === 'tool_calls') toolCallDeltas(behaviour.calls).forEach((delta) => void chunk(delta));
      chunk({}, behaviour.kind === 'tool_calls' ? 'tool_calls' : 'stop');
      const usage = usageOf(behaviour, chunks);
      if (usage !== undefined) write({ ...identity(request), object: 'chat.completion.chunk', choices: [], usage });
      write('[DONE]');
      response.end();
      return;
    }
    case 'unfinished':
      response.end();
      return;
    case 'malformed':
      write('{"choices": [{');
      response.end();
      return;
    case 'stream-error':
      write({ error: { message: behaviour.message, type: 'fake_error', code: behaviour.code ?? null } });
      response.end();
      return;
    case 'cut':
      toolCallDeltas(behaviour.calls ?? []).forEach((delta) => void chunk(delta));
      // The socket is closed after the data was flushed, so that the client receives the chunks before the cut.
      response.write('', () => response.socket?.destroy());
      return;
    case 'stall':
      return;
  }
}

function chunksOf(behaviour: Exclude<FakeOpenAiBehaviour, { kind: 'error' }>): string[] {
  return behaviour.chunks ?? (behaviour.kind === 'tool_calls' ? [] : defaultChunks);
}

function describedCall({ id, name, arguments: given }: FakeToolCall, index: number) {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return { id: id ?? `call-${index + 1}`, type: 'function', function: { name, arguments: text } };
}

/** The first delta of a call names it; its arguments come in two pieces, as they do from real services. */
function toolCallDeltas(calls: FakeToolCall[]): object[] {
  return calls.flatMap((call, index) => {
    const { id, type, function: described } = describedCall(call, index);
    const middle = Math.ceil(described.arguments.length / 2);
    const pieces = [described.arguments.slice(0, middle), described.arguments.slice(middle)];
    return [
      { tool_calls: [{ index, id, type, function: { name: described.name, arguments: '' } }] },
      ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ];
  });
}

function answerWhole(
  response: ServerResponse,
  behaviour: Exclude<FakeOpenAiBehaviour, { kind: 'error' }>,
  request: FakeOpenAiRequest,
): void {
  if (behaviour.kind === 'stall') return;
  if (behaviour.kind === 'cut') {
    response.socket?.destroy();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  if (behaviour.kind !== 'answer' && behaviour.kind !== 'tool_calls') {
    response.end('{"choices": [{');
    return;
  }
  if (request.path === '/v1/embeddings') {
    response.end(JSON.stringify(embeddingsFor(request)));
    return;
  }
  if (request.path === '/v1/rerank') {
    response.end(JSON.stringify(rankingFor(request)));
    return;
  }
  const chunks = chunksOf(behaviour);
  const calls = behaviour.kind === 'tool_calls' ? behaviour.calls : [];
  const reasoning = behaviour.kind === 'answer' ? behaviour.reasoning : undefined;
  const message = {
    role: 'assistant',
    content: chunks.join(''),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(describedCall) }),
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning.join('') }),
  };
  response.end(
    JSON.stringify({
      ...identity(request),
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: calls.length === 0 ? 'stop' : 'tool_calls' }],
      usage: usageOf(behaviour, chunks),
    }),
  );
}

/** A vector for each text, which depends on nothing but the text. */
function embeddingsFor({ body }: FakeOpenAiRequest): object {
  const inputs = [body?.input ?? []].flat() as string[];
  const vectorOf = (text: string) => {
    const vector = new Array<number>(fakeDimension).fill(0);
    for (let index = 0; index < text.length; index += 1) {
      vector[index % fakeDimension] = (vector[index % fakeDimension] as number) + text.charCodeAt(index) / 1000;
    }
    return vector;
  };
  return {
    object: 'list',
    model: body?.model,
    data: inputs.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })),
    usage: { prompt_tokens: inputs.length, total_tokens: inputs.length },
  };
}

/** Scores are shares of the query's words; the results are in the order of the documents, as services may do. */
function rankingFor({ body }: FakeOpenAiRequest): object {
  const wordsOf = (text: unknown) => String(text).toLowerCase().match(/\w+/g) ?? [];
  const wanted = wordsOf(body?.query);
  const results = ((body?.documents ?? []) as string[]).map((document, index) => {
    const words = new Set(wordsOf(document));
    return { index, relevance_score: wanted.filter((word) => words.has(word)).length / Math.max(1, wanted.length) };
  });
  const best = results.toSorted((left, right) => right.relevance_score - left.relevance_score);
  const returned = new Set(best.slice(0, (body?.top_n as number | undefined) ?? results.length));
  return { id: 'rerank-fake', results: results.filter((result) => returned.has(result)) };
}
