import type { Readable, Writable } from 'node:stream';
import { errorReasons, ParleyError } from '@parley/sdk';
import type { HostCalls, PluginLogLine, PluginRequest } from '../core/plugins/plugin-caller.ts';
import type { HostMethod, PluginMethods } from '../core/plugins/plugin-protocol.ts';
import { followSignals } from '../lib/follow-signals.ts';
import { objectOf, textOf } from '../lib/loose-values.ts';
import { storableText } from '../lib/storable-text.ts';
import {
  type Channel,
  type ChannelAnswer,
  type ChannelLimits,
  type ChannelRequest,
  channelLimits,
  type IncomingRequest,
  type OpenRequest,
} from './channel/channel.ts';
import { openChannel } from './channel/open-channel.ts';

/** Longest line of a log, characters. */
const longestLine = 10_000;
/** Longest body of a request that a plugin has the server send, bytes. */
const longestBody = 8 << 20;

export interface PluginConnectionOptions {
  /** Standard output of the process. */
  input: Readable;
  /** Standard input of the process. */
  output: Writable;
  /** A line that the plugin writes to its log; made storable. */
  log(line: Omit<PluginLogLine, 'at'>): void;
  /** Default {@link channelLimits}. */
  limits?: ChannelLimits;
}

/** What a request needs that the process answers; without waiting for the process to start. */
export type PluginCallRequest = Omit<PluginRequest, 'plugin'>;

/** The connection to the process of one plugin. */
export interface PluginConnection {
  /**
   * Has the process load the module and start it.
   * @param host what the module may ask for while it starts
   * @throws ParleyError `plugin_incompatible`, `plugin_invalid` when handlers are missing, `plugin_failed`,
   *   `plugin_crashed`; the reason of the signal
   */
  start(
    parameters: PluginMethods['start']['parameters'],
    options: { signal: AbortSignal; timeoutMs: number; host: HostCalls },
  ): Promise<PluginMethods['start']['result']>;
  /** @throws ParleyError `plugin_timeout` or `plugin_crashed` */
  ping(timeoutMs: number): Promise<void>;
  /** As `PluginCaller.call`; its time begins now. */
  call(request: PluginCallRequest): Promise<unknown>;
  /** As `PluginCaller.stream`; its time begins now, and goes on until the end of the stream. */
  stream(request: PluginCallRequest): AsyncIterable<unknown>;
  /** Resolves when the connection is closed; with an error when the process broke a rule. */
  closed: Promise<Error | null>;
  close(): void;
  /** Responses that came after their request had ended. */
  readonly lateResponses: number;
}

export function connectPlugin(options: PluginConnectionOptions): PluginConnection {
  return new ChannelConnection(options);
}

/** The methods of a plugin's requests. */
const hostMethods: Record<HostMethod, true> = {
  settings: true,
  fetch: true,
  storage_get: true,
  storage_set: true,
  storage_delete: true,
  storage_keys: true,
  storage_add: true,
  reply: true,
  send: true,
  models_list: true,
  models_generate: true,
  models_stream: true,
  models_embed: true,
  knowledge_search: true,
  files_read: true,
  conversation_read: true,
  conversation_reset: true,
};

class ChannelConnection implements PluginConnection {
  readonly #channel: Channel;
  /** What the server does for the plugin, by the call of the plugin. */
  readonly #hosts = new WeakMap<ChannelRequest, HostCalls>();
  readonly #log: PluginConnectionOptions['log'];

  constructor({ input, output, log, limits = channelLimits }: PluginConnectionOptions) {
    this.#log = log;
    this.#channel = openChannel({
      input,
      output,
      limits,
      answer: (request) => this.#answer(request),
      notified: (name, parameters) => this.#notified(name, parameters),
    });
  }

  get closed(): Promise<Error | null> {
    return this.#channel.closed;
  }

  get lateResponses(): number {
    return this.#channel.lateResponses;
  }

  close(): void {
    this.#channel.close();
  }

  async start(
    parameters: PluginMethods['start']['parameters'],
    options: { signal: AbortSignal; timeoutMs: number; host: HostCalls },
  ): Promise<PluginMethods['start']['result']> {
    const result = objectOf(await this.call({ method: 'start', parameters, ...options }));
    const { protocol, handlers } = result;
    if (protocol !== parameters.protocol) {
      throw new ParleyError('plugin_incompatible', `The process speaks version ${String(protocol)} of the protocol.`);
    }
    if (!Array.isArray(handlers) || !handlers.every((handler) => typeof handler === 'string')) {
      throw new ParleyError('plugin_response_invalid', errorReasons.plugin_response_invalid);
    }
    return { protocol, handlers };
  }

  async ping(timeoutMs: number): Promise<void> {
    const { signal } = new AbortController();
    await this.#channel.open({ method: 'ping', parameters: null, during: null, timeoutMs, signal }).result;
  }

  async call(request: PluginCallRequest): Promise<unknown> {
    const open = this.#open(request, request);
    try {
      return await open.result;
    } finally {
      // A result may announce streams, which have no reader.
      open.end();
    }
  }

  async *stream(request: PluginCallRequest): AsyncGenerator<unknown, void, undefined> {
    const { timeoutMs, signal } = request;
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new ParleyError('plugin_timeout', errorReasons.plugin_timeout)),
      timeoutMs,
    );
    const whole = followSignals([signal, late.signal]);
    const open = this.#open(request, { timeoutMs: null, signal: whole.signal });
    try {
      yield* open.items;
      await open.result;
    } finally {
      clearTimeout(timer);
      whole.release();
      open.end();
    }
  }

  #open(
    { method, parameters, bytes, host }: PluginCallRequest,
    { timeoutMs, signal }: Pick<ChannelRequest, 'timeoutMs' | 'signal'>,
  ): OpenRequest {
    const request: ChannelRequest = {
      method,
      parameters,
      during: null,
      ...(bytes === undefined ? {} : { bytes }),
      timeoutMs,
      signal,
      notified: (name, about) => {
        if (name === 'progress') host.notify?.(name, about);
      },
    };
    this.#hosts.set(request, host);
    return this.#channel.open(request);
  }

  async #answer({ method, parameters, during, bytes, signal }: IncomingRequest): Promise<ChannelAnswer> {
    const host = during === null ? undefined : this.#hosts.get(during);
    if (host === undefined) {
      throw new ParleyError('plugin_permission_denied', 'The server answers a plugin only during a call of it.');
    }
    if (!isHostMethod(method)) throw new ParleyError('not_found', 'The server has no such method for plugins.');
    if (method !== 'fetch') return await host.answer(method, parameters, signal);
    return await host.answer(method, { ...objectOf(parameters), body: await bodyOf(bytes) }, signal);
  }

  #notified(name: string, parameters: unknown): void {
    if (name !== 'log') return;
    const { level, text } = objectOf(parameters);
    const known = (['debug', 'info', 'warn', 'error'] as const).find((candidate) => candidate === level);
    this.#log({ level: known ?? 'info', text: storableText(textOf(text).slice(0, longestLine)) });
  }
}

/**
 * The body of a request that a plugin has the server send.
 * @returns Base64; null for none
 * @throws ParleyError `too_large`
 */
async function bodyOf(bytes: AsyncIterable<Uint8Array>): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    parts.push(part);
    length += part.length;
    if (length > longestBody) throw new ParleyError('too_large', errorReasons.too_large);
  }
  return parts.length === 0 ? null : Buffer.concat(parts).toString('base64');
}

function isHostMethod(method: string): method is HostMethod {
  return Object.hasOwn(hostMethods, method);
}
