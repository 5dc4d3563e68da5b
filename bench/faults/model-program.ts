// A fake OpenAI-compatible model in a separate process. It answers each question with its id in every part, at a given
// speed, and counts its calls.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serveFunctions } from '../lib/child-program.ts';
import { answerText, readQuestion } from './answer-text.ts';

/** How the model writes, milliseconds. */
export interface ModelPace {
  /** Shortest and longest time until the first chunk. */
  before: readonly [number, number];
  /** Shortest and longest time from the first chunk to the last. */
  writing: readonly [number, number];
  chunks: number;
}

let pace: ModelPace = { before: [10, 50], writing: [0, 0], chunks: 5 };
/** Calls by question. */
const calls = new Map<string, number>();
/** Questions whose answers are being written. */
const open = new Set<string>();
const between = ([least, most]: readonly [number, number]) => least + Math.random() * (most - least);

const event = (delta: object, finish_reason: string | null, rest: object = {}) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-fake',
    object: 'chat.completion.chunk',
    created: 1_764_000_000,
    model: 'fake',
    choices: [{ index: 0, delta, finish_reason }],
    ...rest,
  })}\n\n`;
const ending =
  event({}, 'stop') +
  event({}, null, { choices: [], usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 } }) +
  'data: [DONE]\n\n';

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] };
  const question = readQuestion(JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content ?? ''));
  if (question === null) throw new Error(`no question: ${body.slice(0, 500)}`);
  const { id, parts } = question;
  calls.set(id, (calls.get(id) ?? 0) + 1);
  open.add(id);
  response.once('close', () => open.delete(id));
  const { before, writing, chunks } = pace;
  await delay(between(before));
  const text = answerText(id, parts);
  const size = Math.ceil(text.length / chunks);
  const pause = between(writing) / chunks;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write(event({ role: 'assistant', content: '' }, null));
  for (let start = 0; start < text.length && !response.destroyed; start += size) {
    if (start > 0 && pause > 0) await delay(pause);
    response.write(event({ content: text.slice(start, start + size) }, null));
  }
  response.end(ending);
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  answer(request, response).catch((error: unknown) => {
    if (!request.destroyed) process.stderr.write(`fake model: ${String(error)}\n`);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const functions = {
  /** What a provider's `base_url` would hold. */
  address: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
  setPace: (given: ModelPace) => {
    pace = given;
  },
  /** How often each question was asked. */
  calls: () => Object.fromEntries(calls),
  isAnswering: (question: string) => open.has(question),
};
export type ModelFunctions = typeof functions;

serveFunctions(functions);
