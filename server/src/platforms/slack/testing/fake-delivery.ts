import { createHmac } from 'node:crypto';
import { type Delivered, type Forgery, NotOfThisPlatform } from '@parley/sdk/testing';
import { callbackOf } from './fake-events.ts';
import type { FakeServer } from './fake-server.ts';

type Outcome = Delivered['outcome'];

/** Time for an acknowledgement, milliseconds. */
const patience = 600;

/** Sends events to the bot: as signed requests, or as frames of its connection. */
export class FakeDelivery {
  signingSecret = 'the-signing-secret';
  /** Of the webhook. */
  address = '';
  readonly #server: FakeServer;
  readonly #isSocket: boolean;
  #waiting: object[] = [];
  readonly #acknowledgements = new Map<string, () => void>();
  #envelopes = 0;
  /** The last request with an event. */
  #last: [body: Uint8Array, headers: Record<string, string>] | null = null;

  constructor(server: FakeServer, isSocket: boolean) {
    this.#server = server;
    this.#isSocket = isSocket;
    server.onFrame = (text) => {
      const { envelope_id } = JSON.parse(text) as { envelope_id?: string };
      this.#acknowledgements.get(envelope_id ?? '')?.();
    };
    server.onOpen = () => {
      for (const event of this.#waiting.splice(0)) void this.push(event);
    };
  }

  async push(event: object, retry = 0): Promise<Outcome> {
    if (this.#isSocket) return this.#pushFrame(event);
    const body = Buffer.from(JSON.stringify(callbackOf(event)));
    const marks: Record<string, string> =
      retry === 0 ? {} : { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': 'timeout' };
    const headers = { ...this.signed(body), ...marks };
    this.#last = [body, headers];
    return this.request(body, headers);
  }

  async #pushFrame(event: object): Promise<Outcome> {
    const socket = this.#server.audible;
    if (socket === null) {
      this.#waiting.push(event);
      return 'none';
    }
    this.#envelopes += 1;
    const envelope_id = `envelope-${this.#envelopes}`;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#acknowledgements.set(envelope_id, () => resolve('acknowledged'));
    const timer = setTimeout(resolve, patience, 'refused');
    socket.send(JSON.stringify({ type: 'events_api', envelope_id, payload: callbackOf(event), retry_attempt: 0 }));
    return promise.finally(() => clearTimeout(timer));
  }

  signed(body: Uint8Array, secret = this.signingSecret, seconds = 0): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1000) + seconds);
    const signature = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
    return {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    };
  }

  async request(body: Uint8Array, headers: Record<string, string>): Promise<Outcome> {
    try {
      const init = { method: 'POST', headers, body: Buffer.from(body), signal: AbortSignal.timeout(patience) };
      const response = await fetch(this.address, init);
      await response.arrayBuffer();
      return response.ok ? 'acknowledged' : 'refused';
    } catch {
      return 'none';
    }
  }

  /** Sends a right request with an event, changed. */
  async forge(how: Forgery, body: Uint8Array): Promise<Outcome[]> {
    const right = this.signed(body);
    const signature = right['x-slack-signature'] ?? '';
    const { 'x-slack-signature': _, ...unsigned } = right;
    const { 'x-slack-request-timestamp': __, ...undated } = right;
    const aged = (seconds: number) => this.signed(body, this.signingSecret, seconds);
    switch (how) {
      case 'wrong_signature':
        return [
          await this.request(body, {
            ...right,
            'x-slack-signature': signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
          }),
        ];
      case 'missing_signature':
        return [await this.request(body, unsigned), await this.request(body, undated)];
      case 'short_signature':
        return [await this.request(body, { ...right, 'x-slack-signature': signature.slice(0, -2) })];
      case 'of_another_bot':
        return [await this.request(body, this.signed(body, 'another-secret'))];
      case 'too_old':
        return [await this.request(body, aged(-301))];
      case 'from_the_future':
        return [await this.request(body, aged(400))];
      case 'replayed':
        return [this.#last === null ? await this.request(body, right) : await this.request(...this.#last)];
      default:
        throw new NotOfThisPlatform(how);
    }
  }
}
