import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { idIn } from './messenger.ts';

/** Timing of the model, milliseconds. */
export interface Pace {
  /** Until the first chunk. */
  before: number;
  /** Between two chunks. */
  between: number;
}

/** An OpenAI-compatible server whose answers contain the id of the question, so that the two can be matched. */
export interface EchoModel {
  /** The address a provider record would hold, `http://127.0.0.1:<port>/v1`. */
  baseUrl: string;
  /** When a question was first asked, and when its answer had been written, as `performance.now()` counts. */
  timesOf(id: string): { askedAt: number; writtenAt: number | null } | undefined;
  /** How many requests there were. */
  readonly requests: number;
  /** Forgets the times of questions so far. */
  forget(): void;
  close(): Promise<void>;
}

const filler = [
  'It may rain in the afternoon, ',
  'with some wind from the west, ',
  'and it will be dry again ',
  'before the evening comes. ',
  'Take an umbrella along ',
  'if you have to be outside, ',
  'or stay at home.',
];

const json = (delta: object, finish_reason: string | null, rest: object = {}) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-echo',
    object: 'chat.completion.chunk',
    created: 1_764_000_000,
    model: 'echo',
    choices: [{ index: 0, delta, finish_reason }],
    ...rest,
  })}\n\n`;
const beginning = json({ role: 'assistant', content: '' }, null);
const fillerEvents = filler.map((content) => json({ content }, null));
const ending =
  json({}, 'stop') +
  json({}, null, { choices: [], usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 } }) +
  'data: [DONE]\n\n';

/** @param paceOf asked for each request; without a pause the pieces leave together */
export async function startEchoModel(
  paceOf: (id: string) => Pace = () => ({ before: 0, between: 0 }),
): Promise<EchoModel> {
  const times = new Map<string, { askedAt: number; writtenAt: number | null }>();
  const closing = new AbortController();
  let requests = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const askedAt = performance.now();
    requests += 1;
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const id = questionIn(body);
    const known = times.get(id) ?? { askedAt, writtenAt: null };
    times.set(id, known);
    const { before, between } = paceOf(id);
    if (before > 0) await delay(before, undefined, { signal: closing.signal });
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const pieces = [json({ content: `Answer to #${id}: ` }, null), ...fillerEvents];
    if (between === 0) {
      response.end(beginning + pieces.join('') + ending);
    } else {
      response.write(beginning);
      for (const piece of pieces) {
        response.write(piece);
        await delay(between, undefined, { signal: closing.signal });
      }
      response.end(ending);
    }
    known.writtenAt = performance.now();
  }

  const server = createServer((request, response) => {
    // A caller that leaves in the middle is no fault; one that was understood badly must not pass for an answer.
    answer(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    timesOf: (id) => times.get(id),
    get requests() {
      return requests;
    },
    forget: () => times.clear(),
    close: async () => {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @throws Error when the request asks no question, or wants no stream */
function questionIn(body: string): string {
  const { messages, stream } = JSON.parse(body) as { messages: { role: string; content: unknown }[]; stream?: boolean };
  const last = messages.findLast(({ role }) => role === 'user');
  const id = idIn(JSON.stringify(last?.content ?? ''));
  if (id === null || stream !== true) throw new Error(`no question that asks for a stream: ${body}`);
  return id;
}
