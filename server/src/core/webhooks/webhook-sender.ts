import { ParleyError } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import { cutToBytes } from '../../lib/cut-text.ts';
import { hidingSecrets } from '../../lib/hiding-secrets.ts';
import { retryAfterMs } from './delivery-timing.ts';
import type { WebhookAttempt } from './webhook-delivery.ts';
import type { WebhookPayload } from './webhook-payload.ts';
import { secretTexts, signatureHeaders } from './webhook-signature.ts';

/** Limits of the response body, bytes read and stored. */
const longestAnswer = 65_536;
const longestExcerpt = 1024;
const longestError = 500;

export interface WebhookSenderOptions {
  /** Must refuse forbidden addresses. */
  fetch: typeof fetch;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** How long a receiver may take for all of its answer, milliseconds. Default 15 000. */
  timeoutMs?: number;
}

/** Whom a payload is sent to. */
export interface WebhookReceiver {
  url: string;
  /** In clear. */
  secret: string;
}

/** The result of one attempt. */
export interface WebhookResult extends Omit<WebhookAttempt, 'number'> {
  outcome: 'delivered' | 'failed' | 'gone';
  /** It answered that the message is not to be answered here. */
  skips: boolean;
  /** The pause that the receiver requests, milliseconds. */
  retryAfter: number | null;
}

/** Sends signed payloads and reads the answers, within bounds whatever the receiver does. */
export class WebhookSender {
  readonly #fetch: typeof fetch;
  readonly #now: () => number;
  readonly #timeout: number;

  constructor({ fetch, now = present, timeoutMs = 15_000 }: WebhookSenderOptions) {
    this.#fetch = fetch;
    this.#now = now;
    this.#timeout = timeoutMs;
  }

  /** @throws the signal's reason when it was aborted; errors of the receiver are in the result */
  async send(receiver: WebhookReceiver, payload: WebhookPayload, stopping: AbortSignal): Promise<WebhookResult> {
    const timestamp = this.#now();
    const startedAt = performance.now();
    const hide = hidingSecrets(secretTexts(receiver.secret));
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`No answer within ${this.#timeout / 1000} s`)), this.#timeout);
    const signal = AbortSignal.any([stopping, late.signal]);
    const result = (found: Partial<WebhookResult>): WebhookResult => ({
      started_at: new Date(timestamp).toISOString(),
      milliseconds: Math.round(performance.now() - startedAt),
      status: null,
      error: null,
      answer: null,
      outcome: 'failed',
      skips: false,
      retryAfter: null,
      ...found,
    });
    try {
      const response = await this.#post(receiver, payload, timestamp, signal);
      const { text, isWhole } = await readAnswer(response);
      stopping.throwIfAborted();
      const { status, headers } = response;
      const isBusy = status === 429 || status === 503;
      return result({
        status,
        outcome: response.ok ? 'delivered' : status === 410 ? 'gone' : 'failed',
        error: response.ok ? null : refusal(status),
        answer: cutToBytes(hide(text), longestExcerpt),
        skips: status < 400 && isWhole && saysSkip(text),
        retryAfter: isBusy ? retryAfterMs(headers.get('retry-after'), this.#now()) : null,
      });
    } catch (error) {
      stopping.throwIfAborted();
      const fault = late.signal.aborted ? late.signal.reason : error;
      return result({ error: cutToBytes(hide(describe(fault)), longestError) });
    } finally {
      clearTimeout(timer);
    }
  }

  #post(receiver: WebhookReceiver, payload: WebhookPayload, timestamp: number, signal: AbortSignal): Promise<Response> {
    const body = JSON.stringify(payload);
    return this.#fetch(receiver.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Parley-Webhooks/1',
        'accept-encoding': 'identity',
        ...signatureHeaders(receiver.secret, payload.uuid, timestamp, body),
      },
      body,
      // An address that an administrator saved may be in a private network; one that a receiver names may not, so none is
      // followed. The specification has a redirect count as a failure, too.
      redirect: 'manual',
      signal,
    });
  }
}

/**
 * The start of a response body. A broken connection is no error: the status is the response.
 * @returns whether the text is complete
 */
async function readAnswer(response: Response): Promise<{ text: string; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isWhole = true;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      size += chunk.byteLength;
      // Leaving the loop ends the connection.
      if (size > longestAnswer) break;
    }
  } catch {
    isWhole = false;
  }
  const bytes = Buffer.concat(chunks).subarray(0, longestAnswer);
  return { text: new TextDecoder().decode(bytes), isWhole: isWhole && size <= longestAnswer };
}

function saysSkip(text: string): boolean {
  try {
    return (JSON.parse(text) as { skip_pipeline?: unknown } | null)?.skip_pipeline === true;
  } catch {
    return false;
  }
}

function refusal(status: number): string {
  if (status === 410) return 'HTTP 410: the receiver is gone';
  return status >= 300 && status < 400 ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`;
}

function describe(error: unknown): string {
  if (error instanceof ParleyError) return error.message;
  if (!(error instanceof Error)) return String(error);
  // `fetch` only reports that it failed; the cause says why.
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || String((cause as NodeJS.ErrnoException).code ?? error.message);
}
