import {
  DeliveryError,
  type Logger,
  longestReplyContext,
  type MessageEvent,
  type OutgoingMessage,
  type ReplyContext,
} from '@parley/sdk';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import { deliveryFailureOf } from './delivery-failure.ts';
import { type ClaimedMessage, claimOf, type MessageClaim } from './message.ts';

/** A {@link ReplyContext} as it is stored. */
export interface SealedReplyContext {
  sealed_value: string;
  /** ISO 8601 UTC; null for no limit. */
  expires_at: string | null;
  /** Null for no limit. */
  uses_left: number | null;
}

export interface ReplyContextStore {
  /**
   * Uses the context of a message once.
   * @returns its sealed value; null when there is none, or it is expired or used up
   * @throws StorageError `not_owner` when the claim is outdated
   */
  take(claim: MessageClaim): Promise<string | null>;
  /** Undoes a `take`. Does nothing when the claim is outdated. */
  giveBack(claim: MessageClaim): Promise<void>;
}

type Outgoing = Omit<OutgoingMessage, 'message_chain'>;

/** What answers need on platforms where each belongs to a question, such as the address of a session. */
export class ReplyContexts {
  readonly #store: ReplyContextStore;
  readonly #secrets: SecretBox;
  readonly #logger: Logger;

  constructor(store: ReplyContextStore, secrets: SecretBox, logger: Logger) {
    this.#store = store;
    this.#secrets = secrets;
    this.#logger = logger;
  }

  /** The context of a message that arrived, to be stored with it; null when there is none that can be stored. */
  sealed(botUuid: string, { platform_message_id, reply_context }: MessageEvent): SealedReplyContext | null {
    if (reply_context === undefined) return null;
    const json = JSON.stringify(reply_context.value) ?? '';
    const fault = faultOf(json, reply_context);
    if (fault !== null) {
      // The message counts more: it may be answered without.
      this.#logger.error({ bot: botUuid, fault }, 'a platform adapter gave a reply context that cannot be stored');
      return null;
    }
    return {
      sealed_value: this.#secrets.seal(json, nameOf(botUuid, platform_message_id)),
      expires_at: reply_context.expires_at === undefined ? null : new Date(reply_context.expires_at).toISOString(),
      uses_left: reply_context.uses ?? null,
    };
  }

  /**
   * Sends an answer with the context of its question, which is used once unless nothing was sent.
   * @throws DeliveryError `reply_expired` where an answer without the context is not possible, or what `send` throws
   */
  async send<Result>(
    { capabilities }: RunningBot,
    question: ClaimedMessage,
    outgoing: Outgoing,
    send: (outgoing: Outgoing) => Promise<Result>,
  ): Promise<Result> {
    const { platform_message_id: id } = question;
    if (capabilities.reply_context !== true || id === null || outgoing.reply_to === null) return send(outgoing);
    const sealed = await this.#store.take(claimOf(question));
    if (sealed === null) {
      if (capabilities.proactive !== 'none') return send(outgoing);
      throw new DeliveryError('refused', 'reply_expired', 'The platform takes no answer to this message any more');
    }
    const context: unknown = JSON.parse(this.#secrets.open(sealed, nameOf(question.bot_uuid, id)));
    try {
      return await send({ ...outgoing, reply_to: { ...outgoing.reply_to, context } });
    } catch (error) {
      if (deliveryFailureOf(error).kind === 'not_sent') await this.#store.giveBack(claimOf(question));
      throw error;
    }
  }
}

/** Names the record of a context to the box of its secrets. */
function nameOf(botUuid: string, platformMessageId: string): string {
  return JSON.stringify(['reply-context', botUuid, platformMessageId]);
}

function faultOf(json: string, { expires_at, uses }: ReplyContext): string | null {
  const bytes = Buffer.byteLength(json);
  if (bytes === 0 || bytes > longestReplyContext) return `${bytes} bytes`;
  if (expires_at !== undefined && Number.isNaN(Date.parse(expires_at))) return 'invalid expires_at';
  return uses === undefined || (Number.isSafeInteger(uses) && uses > 0) ? null : 'invalid uses';
}
