import { DeliveryError, type DeliveryFailureKind } from '../../src/delivery-error.ts';
import { ParleyError, type Reason } from '../../src/errors.ts';
import type { MessageChain } from '../../src/message-chain.ts';
import { longestReplyContext, type MessageEvent } from '../../src/message-event.ts';
import {
  longestMessageHandle,
  type MessageHandle,
  type OutgoingMessage,
  type RepliedMessage,
  type SendProgress,
} from '../../src/platform.ts';
import type { FakeChat } from './fake-platform.ts';

/** A text as the content of a message. */
export const plain = (text: string): MessageChain => [{ type: 'Plain', text }];

let sequence = 0;

/** A message for an adapter, with a token of its own. */
export function outgoingMessage(
  message_chain: MessageChain,
  to: FakeChat,
  reply_to: RepliedMessage | null = null,
): OutgoingMessage {
  sequence += 1;
  const uuid = `00000000-0000-7000-8000-${sequence.toString(16).padStart(12, '0')}`;
  const { session_type, session_id, thread_id } = to;
  return {
    uuid,
    sequence,
    piece: 0,
    reply_to,
    target: { session_type, session_id, thread_id, pipeline_uuid: null },
    message_chain,
    created_at: new Date().toISOString(),
    idempotency_token: uuid,
  };
}

/** A progress that keeps the handle as the service does: as JSON. */
export class RecordedProgress implements SendProgress {
  handle: MessageHandle | null;
  readonly isInterrupted: boolean;

  constructor(handle: MessageHandle | null = null, isInterrupted = false) {
    this.handle = handle;
    this.isInterrupted = isInterrupted;
  }

  async store(handle: MessageHandle): Promise<void> {
    const json = JSON.stringify(handle);
    const bytes = Buffer.byteLength(json);
    if (bytes > longestMessageHandle) throw new Error(`The handle has ${bytes} bytes`);
    this.handle = JSON.parse(json);
  }
}

/** A message that was received. It counts the uses of its reply context, as the service does. */
export class Question {
  readonly event: MessageEvent;
  /** The platform's id of the message. */
  readonly id: string;
  #used = 0;

  constructor(event: MessageEvent, id: string) {
    this.event = event;
    this.id = id;
  }

  /** Takes one use of the context. @param now milliseconds since 1970 */
  reply(now: number): RepliedMessage {
    const { platform_message_id, sender_id, reply_context } = this.event;
    const replied = { platform_message_id, sender_id };
    if (reply_context === undefined) return replied;
    const { value, uses, expires_at } = reply_context;
    const isOver = expires_at !== undefined && now >= Date.parse(expires_at);
    if (isOver || (uses !== undefined && this.#used >= uses)) return replied;
    this.#used += 1;
    const json = JSON.stringify(value);
    if (Buffer.byteLength(json) > longestReplyContext) throw new Error('The reply context is too long');
    return { ...replied, context: JSON.parse(json) };
  }
}

/** How a send failed, as the service reads it. */
export interface SendFailure {
  kind: DeliveryFailureKind;
  reason: Reason | null;
  rateLimit: DeliveryError['rateLimit'];
  isRepeatable: boolean;
  message: string;
}

/** @returns the failure; fails when there was none */
export async function failureOf(send: Promise<unknown>): Promise<SendFailure> {
  const result = await send.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (result === undefined) throw new Error('It did not fail');
  return readFailure(result.error);
}

export function readFailure(error: unknown): SendFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof DeliveryError) {
    const { kind, reason, rateLimit, isRepeatable } = error;
    return { kind, reason, rateLimit, isRepeatable, message };
  }
  const rest = { rateLimit: undefined, isRepeatable: false, message };
  if (!(error instanceof ParleyError)) return { kind: 'unknown', reason: null, ...rest };
  return { kind: error.reason === 'bot_not_running' ? 'not_sent' : 'refused', reason: error.reason, ...rest };
}
