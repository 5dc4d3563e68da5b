import { PassThrough } from 'node:stream';
import {
  type Channel,
  type ChannelLimits,
  type ChannelOptions,
  type ChannelRequest,
  channelLimits,
} from '../../src/plugin-host/channel/channel.ts';
import { type FrameKind, FrameReader, frameKinds, jsonFrame } from '../../src/plugin-host/channel/frames.ts';
import { openChannel } from '../../src/plugin-host/channel/open-channel.ts';

type Answer = ChannelOptions['answer'];
const refuse: Answer = () => Promise.reject(new Error('nothing is answered here'));

/** A request with what most tests do not care about. */
export function channelRequest(method: string, more: Partial<ChannelRequest> = {}): ChannelRequest {
  const { signal } = new AbortController();
  return { method, parameters: null, during: null, timeoutMs: null, signal, ...more };
}

export interface PairOptions {
  near?: Answer;
  far?: Answer;
  notified?: ChannelOptions['notified'];
  limits?: Partial<ChannelLimits>;
}

/** Both sides of a connection. `near` sends requests in most tests, `far` answers and is the one that notifies. */
export function channelPair({ near = refuse, far = refuse, notified = () => undefined, limits = {} }: PairOptions) {
  const toFar = new PassThrough();
  const toNear = new PassThrough();
  const options = { notified, limits: { ...channelLimits, ...limits } };
  return {
    near: openChannel({ ...options, input: toNear, output: toFar, answer: near }),
    far: openChannel({ ...options, input: toFar, output: toNear, answer: far }),
    toFar,
    toNear,
  };
}

/** One side of a connection, and what a program at the other side that keeps no rule does. */
export interface RawPeer {
  channel: Channel;
  input: PassThrough;
  output: PassThrough;
  /** Sends a message. */
  json(message: object): void;
  frame(kind: number, content: Uint8Array): void;
  /** Messages of the channel so far. */
  received: { kind: FrameKind; message: Record<string, unknown> }[];
  /** The first message of the channel that a test accepts; waits for it. */
  next(accepts: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
}

export function rawPeer(
  options: Partial<Omit<ChannelOptions, 'limits'>> & { limits?: Partial<ChannelLimits> },
): RawPeer {
  const input = new PassThrough();
  const output = new PassThrough();
  const received: RawPeer['received'] = [];
  const frames = new FrameReader(channelLimits.frameBytes);
  let arrived = Promise.withResolvers<void>();
  output.on('data', (chunk: Buffer) => {
    frames.push(chunk);
    for (let frame = frames.next(); frame !== null; frame = frames.next()) {
      const { kind, content } = frame;
      received.push({ kind, message: kind === frameKinds.json ? JSON.parse(content.toString()) : { content } });
    }
    arrived.resolve();
    arrived = Promise.withResolvers();
  });
  const { limits, ...others } = options;
  const channel = openChannel({
    answer: refuse,
    notified: () => undefined,
    ...others,
    input,
    output,
    limits: { ...channelLimits, ...limits },
  });
  return {
    channel,
    input,
    output,
    received,
    json: (message) => void input.write(jsonFrame(JSON.stringify({ jsonrpc: '2.0', ...message }))),
    frame: (kind, content) => {
      const header = Buffer.alloc(5);
      header.writeUInt32BE(content.length);
      header[4] = kind;
      input.write(Buffer.concat([header, content]));
    },
    next: async (accepts) => {
      for (;;) {
        const found = received.find(({ message }) => accepts(message));
        if (found !== undefined) return found.message;
        await arrived.promise;
      }
    },
  };
}

/** All that is streamed. */
export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
