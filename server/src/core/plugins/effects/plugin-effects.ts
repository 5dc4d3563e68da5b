import type { MessageChain } from '@parley/sdk';
import type { Delivery, DeliveryOutcome } from '../../messages/delivery.ts';
import type { PostponedDelivery } from '../../messages/delivery-ledger.ts';
import type { Message } from '../../messages/message.ts';

/*
 * What calls of plugins cause for a message. Each effect is stored before it takes place, so that it takes place once:
 * when the message is processed again after a crash, the stored one is used.
 */

/** `verdict` of a listener, `reply`, `send` and `add` of a call of the server. */
export type PluginEffectKind = 'verdict' | 'reply' | 'send' | 'add';

/** The call of a plugin that has an effect. */
export interface EffectSource {
  message_uuid: string;
  plugin_id: string;
  /** Where it was called: the point of a listener, or `command:<name>`, `runner:<name>`, `tool:<name>:<number>`. */
  point: string;
}

export interface EffectKey extends EffectSource {
  /** From 0, of the effects of one kind that the call has. */
  ordinal: number;
}

/** A reply, as it is stored before it is sent. */
export interface StoredReply {
  message: Message;
  delivery: Delivery;
}

/** How a message of a plugin was sent. */
export type SendResult = { state: 'sending' | 'sent' } | { state: 'failed'; reason: string; message: string };

/** The effects of plugins. Every method is one transaction; its result is on the disk. */
export interface PluginEffects {
  /** The verdicts of listeners on a message, from earlier attempts. */
  verdictsOn(messageUuid: string): Promise<(EffectSource & { verdict: unknown })[]>;
  /** @throws StorageError `not_owner` when another process has taken the message over */
  storeVerdict(source: EffectSource, verdict: unknown): Promise<void>;
  /**
   * Stores a reply with its delivery, which is `pending`. One that is stored already stays as it is.
   * @param question the message, claimed by this process
   * @param expiresAt as in {@link Delivery}
   * @throws StorageError as {@link storeVerdict}
   */
  storeReply(
    key: EffectKey,
    question: Message,
    reply: { chain: MessageChain; text: string; expiresAt: string },
  ): Promise<StoredReply>;
  /** The replies to a message that are neither sent nor failed, in order. */
  openReplies(messageUuid: string): Promise<StoredReply[]>;
  /** A reply that is `pending` is `sending` from now on. */
  beginReply(replyUuid: string): Promise<void>;
  endReply(replyUuid: string, outcome: DeliveryOutcome): Promise<void>;
  /** A reply could not be sent for now and is `pending` again. */
  postponeReply(
    replyUuid: string,
    failure: Pick<PostponedDelivery, 'reason' | 'error' | 'unconfirmed_since'>,
  ): Promise<void>;
  /** Stores that a message is being sent. @returns the stored result of an earlier attempt; null when there is none */
  beginSend(key: EffectKey): Promise<SendResult | null>;
  endSend(key: EffectKey, result: SendResult): Promise<void>;
  /**
   * Adds to a number that a plugin stores.
   * @param key of the effect; null for a call without a message, which is not repeated
   * @returns the sum; that of the earlier attempt when it is stored
   * @throws ParleyError `conflict` when the value is no number, `plugin_storage_full`
   */
  add(key: EffectKey | null, addition: { plugin_id: string; key: string; amount: number }): Promise<number>;
}

/** What plugins store. */
export interface PluginValues {
  /** JSON; null when there is no such key. */
  get(pluginId: string, key: string): Promise<string | null>;
  /** @param value JSON. @throws ParleyError `plugin_storage_full` */
  set(pluginId: string, key: string, value: string): Promise<void>;
  delete(pluginId: string, key: string): Promise<void>;
  /** Those with a prefix, behind `after`, in the order of code points. */
  keys(pluginId: string, query: { prefix: string; after: string; limit: number }): Promise<string[]>;
  /** Removes what a plugin has stored, and its effects. */
  removeAll(pluginId: string): Promise<void>;
}

/** What one plugin may store: keys and values, bytes. */
export const maximumStoredBytes = 10 << 20;
