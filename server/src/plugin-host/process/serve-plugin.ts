import type { Readable, Writable } from 'node:stream';
import type { Plugin, PluginCall } from '@parley/sdk';
import { ParleyError } from '@parley/sdk/errors';
import { type PluginMethods, protocolVersion } from '../../core/plugins/plugin-protocol.ts';
import { type Channel, type ChannelAnswer, channelLimits, type IncomingRequest } from '../channel/channel.ts';
import { openChannel } from '../channel/open-channel.ts';
import { handle } from './call-handlers.ts';
import { CallScope } from './call-scope.ts';
import { handlerError } from './handler-error.ts';
import { moduleHost } from './module-host.ts';
import { handlersFor, pluginOf } from './plugin-module.ts';

export interface ServePluginOptions {
  /** From the server. */
  input: Readable;
  /** To the server. Nothing else may write to it. */
  output: Writable;
  /** Loads the module of the plugin: `() => import(url)`. */
  load: () => Promise<unknown>;
}

/**
 * Runs the module of a plugin for the server, inside the process of the plugin.
 * @returns resolves when the connection is closed, after which the process has nothing left to do
 */
export function servePlugin(options: ServePluginOptions): Promise<Error | null> {
  const served = new ServedPlugin(options.load);
  const channel: Channel = openChannel({
    input: options.input,
    output: options.output,
    limits: channelLimits,
    answer: (request) => served.answer(request, new CallScope(channel, request)),
    notified: () => undefined,
  });
  return channel.closed;
}

class ServedPlugin {
  readonly #load: () => Promise<unknown>;
  #plugin: Plugin | null = null;
  #hasBegun = false;

  constructor(load: () => Promise<unknown>) {
    this.#load = load;
  }

  async answer({ method, parameters, bytes, signal }: IncomingRequest, scope: CallScope): Promise<ChannelAnswer> {
    if (method === 'ping') return { result: null };
    let answer: ChannelAnswer = { result: null };
    try {
      const call = { host: moduleHost(scope), signal };
      if (method === 'start') answer = { result: await this.#start(parameters, call) };
      else answer = await handle(this.#started(), method, parameters, { call, scope, bytes });
    } catch (thrown) {
      throw handlerError(thrown);
    } finally {
      // What is streamed outlives the handler.
      if (answer.items === undefined) scope.end();
    }
    return answer.items === undefined ? answer : { result: answer.result, items: untilEnd(answer.items, scope) };
  }

  async #start(parameters: unknown, call: PluginCall): Promise<PluginMethods['start']['result']> {
    if (this.#hasBegun) throw new ParleyError('conflict', 'The plugin has been started already.');
    this.#hasBegun = true;
    // The server sends what its types say, once both speak the same version.
    const { protocol, contributes } = parameters as PluginMethods['start']['parameters'];
    if (protocol !== protocolVersion) {
      const message = `The server speaks version ${protocol} of the protocol, the process ${protocolVersion}.`;
      throw new ParleyError('plugin_incompatible', message);
    }
    const plugin = pluginOf(await this.#load());
    const handlers = handlersFor(plugin, contributes);
    await plugin.start?.(call);
    this.#plugin = plugin;
    return { protocol, handlers };
  }

  #started(): Plugin {
    if (this.#plugin === null) throw new ParleyError('plugin_not_running', 'The plugin has not been started.');
    return this.#plugin;
  }
}

/** Passes on what a handler streams, its errors as those of handlers; the call ends with it. */
async function* untilEnd(items: AsyncIterable<unknown>, scope: CallScope): AsyncGenerator<unknown> {
  try {
    yield* items;
  } catch (thrown) {
    throw handlerError(thrown);
  } finally {
    scope.end();
  }
}
