// An OpenAI-compatible model in a process of its own, which `echo-model.ts` starts.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serveFunctions } from '../lib/child-program.ts';
import { machineTime } from '../lib/machine-time.ts';
import { idIn } from './messenger.ts';

/** How the model writes, milliseconds: shortest and longest times, any in between for each answer. */
export interface EchoModelPace {
  /** Until the first chunk. */
  before: readonly [number, number];
  /** Between two chunks. */
  between: readonly [number, number];
  /** Only questions whose ids begin with this are answered at this pace, the others at once. Default: all. */
  idPrefix?: string;
}

/** When a question was first asked, and when its answer had been written, as `machineTime` counts. */
export interface AnswerTimes {
  askedAt: number;
  writtenAt: number | null;
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

const inRange = ([least, most]: readonly [number, number]) => least + Math.random() * (most - least);

const times = new Map<string, AnswerTimes>();
let pace: EchoModelPace = { before: [0, 0], between: [0, 0] };
let requests = 0;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const askedAt = machineTime();
  requests += 1;
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const id = questionIn(body);
  const known = times.get(id) ?? { askedAt, writtenAt: null };
  times.set(id, known);
  const isPaced = id.startsWith(pace.idPrefix ?? '');
  const before = isPaced ? inRange(pace.before) : 0;
  const between = isPaced ? inRange(pace.between) : 0;
  if (before > 0) await delay(before);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const pieces = [json({ content: `Answer to #${id}: ` }, null), ...fillerEvents];
  // Without a pause, the chunks leave together.
  if (between === 0) {
    response.end(beginning + pieces.join('') + ending);
  } else {
    response.write(beginning);
    for (const piece of pieces) {
      response.write(piece);
      await delay(between);
    }
    response.end(ending);
  }
  known.writtenAt = machineTime();
}

/** @throws Error when the request asks no question, or wants no stream */
function questionIn(body: string): string {
  const { messages, stream } = JSON.parse(body) as { messages: { role: string; content: unknown }[]; stream?: boolean };
  const last = messages.findLast(({ role }) => role === 'user');
  const id = idIn(JSON.stringify(last?.content ?? ''));
  if (id === null || stream !== true) throw new Error(`no question that asks for a stream: ${body}`);
  return id;
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  // A caller that leaves in the middle is no fault; one that was understood badly must not pass for an answer.
  answer(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const functions = {
  address: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
  setPace: (given: EchoModelPace) => {
    pace = given;
  },
  times: (idPrefix: string) => [...times].filter(([id]) => id.startsWith(idPrefix)),
  requests: () => requests,
};
export type EchoModelFunctions = typeof functions;

serveFunctions(functions);
