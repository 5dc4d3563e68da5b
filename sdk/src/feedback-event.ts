import type { SessionType } from './message-event.ts';

/** A user's feedback on an answer, from a platform adapter. */
export interface FeedbackEvent {
  /** The platform's own identifier. Of two events of a bot with the same one, the later counts. */
  feedback_id: string;
  /** 1 for a like, 2 for a dislike. */
  feedback_type: 1 | 2;
  /** The user's comment. */
  feedback_content?: string;
  /** The user's choices from the platform's list of problems. */
  inaccurate_reasons?: readonly string[];
  /** The platform's id of the user. */
  user_id?: string;
  /** Where the answer stands. */
  session_type?: SessionType;
  session_id?: string;
  /** The platform's own identifier of the answer, or of the message that it answers. */
  message_id?: string;
  /** The platform's id of the stream with the answer. */
  stream_id?: string;
}
