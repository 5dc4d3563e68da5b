import type { SessionType } from '@parley/sdk';
import type { Feedback, Opinion } from './feedback.ts';

/** A message that feedback is about. */
export interface JudgedMessage {
  uuid: string;
  bot_uuid: string;
  pipeline_uuid: string;
  session_type: SessionType;
  session_id: string;
  /** The sender of the question; null when there was none. */
  user_id: string | null;
}

export interface FeedbackStore {
  /** Replaces earlier feedback under the same id. */
  save(feedback: Feedback): Promise<void>;
  /** The feedback of a caller on some messages, in no order. @param caller as in the feedback id */
  byCaller(caller: string, messageUuids: readonly string[]): Promise<Opinion[]>;
  message(uuid: string): Promise<JudgedMessage | null>;
  /**
   * The message that a platform refers to: an inbound one with this identifier, or a recent outbound one in the given
   * session.
   */
  platformMessage(
    botUuid: string,
    platformMessageId: string,
    session: { type: SessionType; id: string } | null,
  ): Promise<JudgedMessage | null>;
  /**
   * Removes feedback from before a timestamp, ISO 8601 UTC.
   * @returns how much, at most `limit`
   */
  removeBefore(timestamp: string, limit: number): Promise<number>;
}
