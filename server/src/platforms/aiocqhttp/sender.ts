import {
  DeliveryError,
  type DeliveryTarget,
  type MessageChain,
  type OutgoingMessage,
  type PlatformContext,
  type SendProgress,
  type SentMessage,
} from '@parley/sdk';
import { ChatPace } from '../../kit/pace/chat-pace.ts';
import { noProgress } from '../../kit/streams/no-progress.ts';
import { asDeliveryError, isUnknownAction, refusalOf } from './action-failure.ts';
import type { CallOptions } from './actions.ts';
import { platformMessageId } from './chat.ts';
import { type Fields, fieldsOf, idOf, listOf } from './fields.ts';
import { type PreparedMessage, prepareMessage, withoutQuote } from './prepared-message.ts';
import { splitChain } from './split.ts';
import type { Timing } from './timing.ts';
import type { WireIds } from './wire-ids.ts';

export interface SenderOptions {
  context: Pick<PlatformContext, 'readMedia' | 'fetchContent'>;
  ids: WireIds;
  timing: Timing;
  /** The QQ number of the bot. */
  account(): string | null;
  call(action: string, params: Fields, options: CallOptions): Promise<unknown>;
}

/** Messages of the bot that are remembered, to recognize answers to them. */
const rememberedMessages = 1000;

const quoteIsGone = /回复|引用|reply|quote|(消息|message|msg).{0,20}(不存在|not (exist|found)|does not exist)/i;

/** Sends messages, with one attempt each: whether another one follows is decided by the service. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #pace = new ChatPace();
  readonly #own = new Set<string>();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Whether the bot sent a message, as far as it is remembered. */
  isOwn(messageId: string): boolean {
    return this.#own.has(messageId);
  }

  /** Waits until another message may be sent into a chat. @throws the signal's reason */
  awaitTurn({ session_type, session_id }: DeliveryTarget, signal: AbortSignal): Promise<void> {
    const { sendMs, sendBurst } = this.#options.timing;
    return this.#pace.waitTurn(`${session_type}_${session_id}`, { intervalMs: sendMs, burst: sendBurst }, signal);
  }

  /** @throws DeliveryError with the client's reason */
  async send(
    { target, message_chain }: Pick<OutgoingMessage, 'target' | 'message_chain'>,
    progress: SendProgress = noProgress,
  ): Promise<SentMessage> {
    const prepared = await this.#prepared(target, message_chain);
    const sent = idsIn(progress.handle);
    if (progress.isInterrupted && sent.length > 0 && sent.length < prepared.length) {
      throw new DeliveryError('unknown', 'interrupted', 'It is unknown whether the rest of the message was sent');
    }
    for (const [index, message] of prepared.entries()) {
      if (index < sent.length) continue;
      sent.push(await this.#sendOne(message));
      if (index < prepared.length - 1) await progress.store({ ids: sent });
    }
    const id = sent.find((known) => known !== '');
    return id === undefined ? {} : { platform_message_id: platformMessageId(target, id) };
  }

  /** All messages, before any is sent: what cannot be rendered is refused as a whole. */
  async #prepared(target: DeliveryTarget, chain: MessageChain): Promise<PreparedMessage[]> {
    const { context, ids, account } = this.#options;
    const isGroup = target.session_type === 'group';
    const options = { context, ids, isGroup, account: account() ?? '' };
    try {
      const prepared: PreparedMessage[] = [];
      for (const part of splitChain(chain)) prepared.push(await prepareMessage(part, target, options));
      if (prepared.length > 0) return prepared;
    } catch (error) {
      throw asDeliveryError(error);
    }
    throw new DeliveryError('refused', 'unsupported_element', 'The message holds nothing that QQ can show');
  }

  /** @returns the client's id of the message; empty if it tells none */
  async #sendOne(message: PreparedMessage): Promise<string> {
    try {
      return await this.#call(message);
    } catch (error) {
      const other = alternativeTo(message, error);
      if (other === null) throw error;
      return this.#call(other);
    }
  }

  async #call({ action, params, hasFile }: PreparedMessage): Promise<string> {
    const { timing, call } = this.#options;
    const data = fieldsOf(await call(action, params, { timeoutMs: hasFile ? timing.transferMs : timing.actionMs }));
    const id = idOf(data.message_id) ?? '';
    if (id !== '') this.#remember(id);
    return id;
  }

  #remember(id: string): void {
    this.#own.add(id);
    const [oldest] = this.#own;
    if (this.#own.size > rememberedMessages && oldest !== undefined) this.#own.delete(oldest);
  }
}

/** What may be sent in place of a message that was certainly not; null for nothing. */
function alternativeTo(message: PreparedMessage, error: unknown): PreparedMessage | null {
  if (isUnknownAction(error)) return message.fallback ?? null;
  const refusal = refusalOf(error);
  return refusal !== null && quoteIsGone.test(refusal.message) ? withoutQuote(message) : null;
}

/** Tolerates any stored value. */
function idsIn(handle: unknown): string[] {
  return listOf(fieldsOf(handle).ids).map((id) => (typeof id === 'string' ? id : ''));
}
