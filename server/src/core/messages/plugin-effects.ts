import type { MessageChain } from '@parley/sdk';
import type { EffectKey, EffectSource, HostEffects } from '../plugins/effect-key.ts';
import type { Delivery, DeliveryOutcome } from './delivery.ts';
import type { PostponedDelivery } from './delivery-ledger.ts';
import type { ClaimedMessage, Message, MessageClaim } from './message.ts';

/*
 * What calls of plugins cause for a message. Each effect is stored before it takes place, so that it takes place once:
 * when the message is processed again after a crash, the stored one is used.
 */

/** `verdict` of a listener, `reply`, `send` and `add` of a call of the server. */
export type PluginEffectKind = 'verdict' | 'reply' | 'send' | 'add';

/** A reply, as it is stored before it is sent. */
export interface StoredReply {
  message: Message;
  delivery: Delivery;
}

/**
 * The effects of plugins. Every method is one transaction; its result is on the disk. Those that store an effect throw
 * ParleyError `plugin_not_running` when the plugin is not installed any more, so that it leaves nothing behind.
 */
export interface PluginEffects extends HostEffects {
  /** The verdicts of listeners on a message, from earlier attempts. */
  verdictsOn(messageUuid: string): Promise<(Omit<EffectSource, 'claim'> & { verdict: unknown })[]>;
  /**
   * Stores a verdict, unless an earlier attempt has stored one.
   * @returns the stored one, which counts
   * @throws StorageError `not_owner` when the claim of the message is outdated, as the following methods do
   */
  storeVerdict(source: EffectSource, verdict: unknown): Promise<unknown>;
  /**
   * Stores a reply with its delivery, which is `pending`. One that is stored already stays as it is.
   * @param question the message, claimed by this process
   * @param expiresAt as in {@link Delivery}
   */
  storeReply(
    key: EffectKey,
    question: ClaimedMessage,
    reply: { chain: MessageChain; text: string; expiresAt: string },
  ): Promise<StoredReply>;
  /** The replies to a message that are neither sent nor failed, in order. */
  openReplies(messageUuid: string): Promise<StoredReply[]>;
  /** A reply that is `pending` is `sending` from now on. */
  beginReply(replyUuid: string, question: MessageClaim): Promise<void>;
  endReply(replyUuid: string, question: MessageClaim, outcome: DeliveryOutcome): Promise<void>;
  /** A reply could not be sent for now and is `pending` again. */
  postponeReply(
    replyUuid: string,
    question: MessageClaim,
    failure: Pick<PostponedDelivery, 'reason' | 'error' | 'unconfirmed_since'>,
  ): Promise<void>;
}
