import type { MessageChain, MessageHandle, ParleyError, Reason } from '@parley/sdk';
import type { ConversationKey } from '../conversations/conversation.ts';
import type { Delivery, DeliveryOutcome } from './delivery.ts';
import type { ClaimedMessage, Message, MessageClaim } from './message.ts';
import type { MessageOutcome } from './message-ledger.ts';
import type { MessageRecord } from './message-trace.ts';

/** A complete answer. */
export interface Answer {
  /** One chain for each message of the platform. */
  pieces: MessageChain[];
  /** The answer in the history for a model. */
  text: string;
  /** `failed` when it is a notice and no answer. */
  state: 'finished' | 'failed';
  /** How the inbound message ends when all parts are sent. Stored (in the trace), to resume sending after a crash. */
  outcome: MessageOutcome;
  /** Messages that waited behind and are answered along: they end now (`stopped`, `merged`). */
  merged: readonly string[];
}

/** An answer in the ledger, with everything that is sent of it, in order. */
export interface StoredAnswer {
  message: Message;
  deliveries: Delivery[];
  /** See {@link Answer}; meaningless for an answer that is still `writing`. */
  outcome: MessageOutcome;
  /** The streamed part of it, by an attempt that did not complete it; null when there is none. */
  handle: MessageHandle | null;
}

/** How sending a complete answer starts. */
export interface DeliveryPlan {
  /** Whether its first part is sent immediately, and so is `sending` from now on; else all parts are `pending`. */
  begins: boolean;
  /** When attempts to send it end, ISO 8601 UTC; null for never. */
  expires_at: string | null;
}

/** A part of an answer that could not be sent for now. */
export interface PostponedDelivery {
  answer_uuid: string;
  piece: number;
  reason: Reason;
  /** The error message of the platform. */
  error: string;
  /** As in {@link Delivery}, from now on. */
  unconfirmed_since: string | null;
  /** Not before this, ISO 8601 UTC. */
  until: string;
}

/** A part of an outbound message that this process sends. */
export interface ClaimedPart {
  answer_uuid: string;
  piece: number;
  /** The claim of the message that it answers; of itself when it is unsolicited. */
  claim: MessageClaim;
}

/** The outcome of a request to send a part again: its state, or why nothing has changed. */
export type ReopenedDelivery =
  | { state: 'pending' | 'not_found' | 'in_progress' | 'delivered' }
  /** It is unsolicited, and the one who asked is to send it now. */
  | { state: 'sending'; claim: MessageClaim };

/**
 * The outbound messages, and the deliveries of their parts. Every method is one transaction; its result is on disk. What needs
 * a claim throws StorageError `not_owner` when that is outdated.
 */
export interface DeliveryLedger {
  /** The answer that an earlier attempt completed or started; null when there is none. */
  answerTo(messageUuid: string): Promise<StoredAnswer | null>;
  /**
   * The row of an answer that is shown while it grows; the same row when an earlier attempt left one.
   * @param partialRemains the earlier attempt may have left a message that cannot be found again. The row keeps it as its
   *   `reason` until the answer is complete, for attempts after this one
   */
  beginAnswer(message: ClaimedMessage, partialRemains?: boolean): Promise<Message>;
  /**
   * Completes an answer: its row is written and there is a delivery for each part. The inbound message remains
   * `processing` until it is settled or postponed.
   * @param plan default: it starts immediately, and retries have no deadline
   */
  finishAnswer(
    message: ClaimedMessage,
    answer: Answer,
    record: MessageRecord,
    plan?: DeliveryPlan,
  ): Promise<StoredAnswer>;
  /** Stores an unsolicited message, claimed, with its delivery, which starts. */
  createOutgoing(key: ConversationKey, chain: MessageChain, text: string): Promise<Message & MessageClaim>;
  /** Stores the streamed state of a message; see {@link MessageHandle}. */
  storeHandle(part: ClaimedPart, handle: MessageHandle): Promise<void>;
  /**
   * A part is sent as a message of its own, and does not continue what was shown of it: its streamed state is forgotten.
   * @returns its new idempotency token: with the former one, platforms would take it for the message that is shown
   */
  detachDelivery(part: ClaimedPart): Promise<string>;
  /** A part that is `pending` is `sending` from now on. */
  beginDelivery(part: ClaimedPart): Promise<void>;
  /** A part ended. @param beginsNext whether the next one, if any, is `sending` from now on. Default: true */
  settleDelivery(part: ClaimedPart, outcome: DeliveryOutcome, beginsNext?: boolean): Promise<void>;
  /**
   * A part is `pending` again, and its claimed inbound message is released with a due time.
   * @returns false when the claim is outdated; nothing changes then
   */
  postponeDelivery(question: MessageClaim, postponed: PostponedDelivery): Promise<boolean>;
  /**
   * The part that a bot has sent, and that its platform knows by an id, is `failed`: the platform reported that. It has a
   * new idempotency token, since the platform has accepted the former one. The message that it answers is `failed` if it was
   * `answered` or `uncertain`.
   * @returns the outbound message, and the one that it answers if that changed; null when the bot has sent no such part
   */
  failDelivered(
    botUuid: string,
    platformMessageId: string,
    failure: Pick<ParleyError, 'reason' | 'message'>,
  ): Promise<{ outbound: Message; question: Message | null } | null>;
  /** The parts of an outbound message, in order. */
  deliveriesOf(outbound: Message): Promise<Delivery[]>;
  /** The outbound message with a uuid, or the answer to the inbound message with it; null when there is none. */
  deliveredMessage(messageUuid: string): Promise<Message | null>;
  /**
   * Requeues a failed or uncertain part and the following ones. Parts of an answer are `pending` and the message that
   * it answers is `received` and queued; the part of an unsolicited message is `sending`.
   * @param outbound from {@link deliveredMessage}
   */
  reopenDelivery(outbound: Message, piece: number, expiresAt: string): Promise<ReopenedDelivery>;
}
