/** The call of a plugin that has an effect. */
export interface EffectSource {
  message_uuid: string;
  /** Of the message, by the process that calls. */
  claim: number;
  plugin_id: string;
  /** Where it was called: the point of a listener, or `command:<name>`, `runner:<name>`, `tool:<name>:<number>`. */
  point: string;
}

export interface EffectKey extends EffectSource {
  /** From 0, of the effects of one kind that the call has. */
  ordinal: number;
}

/** How a message of a plugin was sent. */
export type SendResult = { state: 'sending' | 'sent' } | { state: 'failed'; reason: string; message: string };

/**
 * The effects of requests to the server that need no message. Every method is one transaction.
 * @throws StorageError `not_owner` when the claim of the message is outdated
 */
export interface HostEffects {
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
