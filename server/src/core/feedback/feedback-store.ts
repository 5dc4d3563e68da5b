import type { SessionType } from '@parley/sdk';
import type { Feedback } from './feedback.ts';

/** A message that feedback is about. */
export interface JudgedMessage {
  uuid: string;
  bot_uuid: string;
  pipeline_uuid: string;
  session_type: SessionType;
  session_id: string;
  /** Who asked; null when nobody did. */
  user_id: string | null;
}

export interface FeedbackStore {
  /** Puts feedback in the place of what was said before under the same id. */
  save(feedback: Feedback): Promise<void>;
  message(uuid: string): Promise<JudgedMessage | null>;
  /**
   * The message that a platform means: one that came in with this identifier, or a recent one that went out with it in
   * the session that is given.
   */
  platformMessage(
    botUuid: string,
    platformMessageId: string,
    session: { type: SessionType; id: string } | null,
  ): Promise<JudgedMessage | null>;
  /**
   * Removes feedback from before a moment, ISO 8601 UTC.
   * @returns how much, at most `limit`
   */
  removeBefore(timestamp: string, limit: number): Promise<number>;
}
