import { randomUUID } from 'node:crypto';
import { problemError } from '@parley/sdk';
import type { Agent, Dispatcher, request } from 'undici';
import type { PeerCallOptions, PeerCalls } from '../core/replicas/peer-calls.ts';
import { type CallAnswer, errorOf, parseAnswer } from './answers.ts';
import { digestOf, isAnswerSigned, signatureHeader, signedHead } from './signed-calls.ts';

export interface PeerClientOptions {
  /** Of calls between replicas, 32 bytes. */
  key: Buffer;
  /** The id of this replica. */
  id: () => string;
  /** The database's time, milliseconds since 1970. */
  present: () => number;
  /** Where another replica is reached; null when it is not known to live, or is reached nowhere. */
  address: (replica: string) => string | null;
  /** Longest time to the answer, milliseconds; default 90 s: a platform may take long. */
  answerMs?: number;
}

/** Longest time to connect, milliseconds. */
const connection = 2000;
/** Largest answer, bytes. */
const maximumAnswer = 16 * 1024 * 1024;
/** Before a caller may try again, seconds: by then the dead are known. */
const retryAfterSeconds = 10;

interface Agents {
  request: typeof request;
  /** A connection for each call: one that was idle may be closed by the other side just then, and who knows what arrived. */
  fresh: Agent;
  /** For what may be lost. */
  kept: Agent;
}

/** Calls other replicas. */
export class PeerClient implements PeerCalls {
  readonly #options: Required<PeerClientOptions>;
  /** Loaded with the first call: a process without others needs none, and it takes a tenth of a second. */
  #agents: Promise<Agents> | null = null;
  #isClosed = false;

  constructor(options: PeerClientOptions) {
    this.#options = { answerMs: 90_000, ...options };
  }

  async call(replica: string, name: string, payload: unknown, options: PeerCallOptions): Promise<unknown> {
    return this.#call('fresh', replica, name, JSON.stringify(payload ?? null), options);
  }

  /** Tells another replica what may be lost. @param payload as JSON text. @returns and @throws as {@link call} */
  async tell(replica: string, name: string, payload: string): Promise<unknown> {
    return await this.#call('kept', replica, name, payload, {
      principal: { kind: 'replica', id: this.#options.id() },
    });
  }

  /** Ends all calls. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const agents = await this.#agents;
    if (agents !== null) await Promise.all([agents.fresh.destroy(), agents.kept.destroy()]);
  }

  async #load(): Promise<Agents> {
    const { Agent: Pool, request } = await import('undici');
    const limits = { connect: { timeout: connection }, maxResponseSize: maximumAnswer, bodyTimeout: 30_000 };
    const headersTimeout = this.#options.answerMs;
    return {
      request,
      fresh: new Pool({ ...limits, headersTimeout, pipelining: 0 }),
      kept: new Pool({ ...limits, headersTimeout: 5000, keepAliveTimeout: 5000, connections: 1 }),
    };
  }

  async #call(
    connections: 'fresh' | 'kept',
    replica: string,
    name: string,
    payload: string,
    { principal, signal }: PeerCallOptions,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    const { key, id, present, address } = this.#options;
    const [origin, time] = [address(replica), present()];
    if (origin === null || this.#isClosed) throw unreachable();
    this.#agents ??= this.#load();
    const agents = await this.#agents;
    const body = Buffer.from(payload);
    const nonce = randomUUID();
    const head = { from: id(), to: replica, principal, name, time, nonce, digest: digestOf(body), length: body.length };
    const sent = { hasBegun: false };
    const dispatcher = agents[connections].compose(noteStart(sent));
    let answer: CallAnswer | null;
    try {
      const response = await agents.request(`${origin}/call`, {
        method: 'POST',
        headers: { ...signedHead(key, head), 'content-type': 'application/json' },
        body,
        dispatcher,
        ...(signal && { signal }),
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      const given = { nonce, status: response.statusCode, body: bytes };
      // Another program that answers there may have done anything with the call.
      answer = isAnswerSigned(key, given, response.headers[signatureHeader]) ? parseAnswer(bytes) : null;
    } catch (error) {
      signal?.throwIfAborted();
      throw sent.hasBegun ? cutOff(error) : unreachable(error);
    }
    if (answer === null) throw cutOff();
    if ('refused' in answer) throw unreachable(answer.refused);
    if ('error' in answer) throw errorOf(answer.error);
    return answer.result;
  }
}

/** Notes that a request is about to be written, once its connection is ready. */
function noteStart(sent: { hasBegun: boolean }): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        sent.hasBegun = true;
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStarted: () => handler.onResponseStarted?.(),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (...given) => handler.onResponseError?.(...given),
      onBodySent: (chunk) => handler.onBodySent?.(chunk),
    });
}

function unreachable(cause?: unknown) {
  return problemError('replica_unreachable', {}, { cause, retryAfterSeconds });
}

function cutOff(cause?: unknown) {
  return problemError('replica_cut_off', {}, { cause });
}
