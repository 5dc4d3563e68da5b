import { ParleyError } from '@parley/sdk/errors';
import type { HostMethod, HostMethods } from '../../core/plugins/plugin-protocol.ts';
import type { Channel, IncomingRequest, OpenRequest } from '../channel/channel.ts';

/** One call of the plugin, from its request to its end: what the module asks of the server belongs to it. */
export class CallScope {
  readonly #channel: Channel;
  readonly #request: IncomingRequest;
  /** Aborted with the call; made for the first request to the server, since most calls make none. */
  #controller: AbortController | null = null;
  #hasEnded = false;

  constructor(channel: Channel, request: IncomingRequest) {
    this.#channel = channel;
    this.#request = request;
  }

  /** Aborted when the result is no longer wanted. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }

  /** Requests something of the server; `signal` cancels it earlier than the end of the call does. */
  open(method: HostMethod, parameters: unknown, signal?: AbortSignal, bytes?: AsyncIterable<Uint8Array>): OpenRequest {
    if (this.#hasEnded) throw new ParleyError('conflict', 'The call has ended. Use its host only until then.');
    const whole = this.#whole();
    return this.#channel.open({
      method,
      parameters,
      during: this.#request,
      timeoutMs: null,
      signal: signal === undefined ? whole : AbortSignal.any([whole, signal]),
      ...(bytes === undefined ? {} : { bytes }),
    });
  }

  async ask<Method extends HostMethod>(
    method: Method,
    parameters: HostMethods[Method]['parameters'],
    signal?: AbortSignal,
  ): Promise<HostMethods[Method]['result']> {
    // The server sends what its types say.
    return (await this.open(method, parameters, signal).result) as HostMethods[Method]['result'];
  }

  log(level: string, text: string): void {
    this.#channel.notify('log', { level, text });
  }

  /** Notifies the server about the call. */
  progress(parameters: { stage?: 'chunking' | 'embedding'; done?: number; total?: number }): void {
    if (!this.#hasEnded) this.#request.notify('progress', parameters);
  }

  /** The handler has returned, and so has what it streams: what it still requests ends. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#controller?.abort(new ParleyError('cancelled', 'The call has ended.'));
  }

  #whole(): AbortSignal {
    if (this.#controller !== null) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    const { signal } = this.#request;
    if (signal.aborted) controller.abort(signal.reason);
    signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
    return controller.signal;
  }
}
