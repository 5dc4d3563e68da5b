import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { type Random, seeded } from '../lib/seeded-random.ts';

/** How far the vectors of a topic are from its middle, beside how far the middles are from each other, which is 1. */
const spread = 0.6;
const topicWord = /topic(\d+)/;

/**
 * An OpenAI-compatible server that gives vectors which lie in clusters: a text belongs to the cluster of the word
 * `topic<number>` in it. The same text always gets the same vector.
 */
export interface ClusteredEmbeddings {
  /** The address a provider record would hold. */
  baseUrl: string;
  /** The vectors it gave so far, of length 1, by their texts. */
  given: ReadonlyMap<string, Float32Array>;
  /** How many texts it was asked for. */
  readonly texts: number;
  close(): Promise<void>;
}

export async function startClusteredEmbeddings(dimensions: number): Promise<ClusteredEmbeddings> {
  const middles = new Map<number, Float32Array>();
  const given = new Map<string, Float32Array>();
  let texts = 0;

  function middleOf(topic: number): Float32Array {
    let middle = middles.get(topic);
    if (middle === undefined) {
      middle = noise(dimensions, seeded(topic + 1));
      middles.set(topic, middle);
    }
    return middle;
  }

  /** As JSON, with three decimals, which is also what is remembered of it. */
  function embed(text: string): string {
    const middle = middleOf(Number(topicWord.exec(text)?.[1] ?? 0));
    const own = noise(dimensions, seeded(hashOf(text)));
    const values = Array.from(middle, (value, index) => Math.round((value + spread * (own[index] ?? 0)) * 1000) / 1000);
    const length = Math.hypot(...values);
    given.set(
      text,
      Float32Array.from(values, (value) => value / length),
    );
    return `[${values.join()}]`;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { input } = (await readJson(request)) as { input: string | string[] };
    const inputs = typeof input === 'string' ? [input] : input;
    texts += inputs.length;
    const data = inputs.map((text, index) => `{"object":"embedding","index":${index},"embedding":${embed(text)}}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      `{"object":"list","model":"clustered","data":[${data.join()}],"usage":{"prompt_tokens":1,"total_tokens":1}}`,
    );
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    given,
    get texts() {
      return texts;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Numbers around 0, each of which is the sum of four even ones, which is close enough to a bell. */
function noise(dimensions: number, random: Random): Float32Array {
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
