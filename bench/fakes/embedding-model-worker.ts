// The thread in which the server with the vectors works.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../server/src/lib/thread-priority.ts';
import { type Random, seeded } from '../lib/seeded-random.ts';
import type { ClosestQuestion } from './embedding-model.ts';

/** How far the vectors of a topic are from its middle, beside how far the middles are from each other, which is 1. */
const spread = 0.6;
const topicWord = /topic(\d+)/;

const { dimensions } = workerData as { dimensions: number };
const middles = new Map<number, Float32Array>();
/** The vectors it gave so far, of length 1, by their texts. */
const given = new Map<string, Float32Array>();

lowerThreadPriority(19);

function middleOf(topic: number): Float32Array {
  let middle = middles.get(topic);
  if (middle === undefined) {
    middle = noise(seeded(topic + 1));
    middles.set(topic, middle);
  }
  return middle;
}

/** @returns values with three decimals */
function vectorOf(text: string): number[] {
  const middle = middleOf(Number(topicWord.exec(text)?.[1] ?? 0));
  const own = noise(seeded(hashOf(text)));
  return Array.from(middle, (value, index) => Math.round((value + spread * (own[index] ?? 0)) * 1000) / 1000);
}

function ofLengthOne(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

/** As JSON. */
function embed(text: string): string {
  const values = vectorOf(text);
  given.set(text, ofLengthOne(values));
  return `[${values.join()}]`;
}

function closest({ text, count }: ClosestQuestion): string[] {
  const vector = ofLengthOne(vectorOf(text));
  return [...given]
    .filter(([other]) => other !== text)
    .map(([other, values]) => ({ other, similarity: dot(vector, values) }))
    .sort((left, right) => right.similarity - left.similarity)
    .slice(0, count)
    .map(({ other }) => other);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { input } = (await readJson(request)) as { input: string | string[] };
  const inputs = typeof input === 'string' ? [input] : input;
  const data = inputs.map((text, index) => `{"object":"embedding","index":${index},"embedding":${embed(text)}}`);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    `{"object":"list","model":"clustered","data":[${data.join()}],"usage":{"prompt_tokens":1,"total_tokens":1}}`,
  );
}

/** Numbers around 0, each of which is the sum of four even ones, which is close enough to a bell. */
function noise(random: Random): Float32Array {
  return Float32Array.from(
    { length: dimensions },
    () => (random() + random() + random() + random() - 2) * Math.sqrt(3),
  );
}

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return hash >>> 0;
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  // Both have as many dimensions.
  for (let index = 0; index < left.length; index++) sum += (left[index] as number) * (right[index] as number);
  return sum;
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.destroy(error as Error));
});
parentPort?.on('message', (question: ClosestQuestion) => parentPort?.postMessage(closest(question)));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
parentPort?.postMessage((server.address() as AddressInfo).port);
