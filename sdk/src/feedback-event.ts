import type { SessionType } from './message-event.ts';

/** What a person said of an answer, as a platform adapter hands it over. */
export interface FeedbackEvent {
  /** The platform's own identifier. Of two events of a bot with the same one, the later counts. */
  feedback_id: string;
  /** 1 for a like, 2 for a dislike. */
  feedback_type: 1 | 2;
  /** What the person wrote about it. */
  feedback_content?: string;
  /** What the person chose from the platform's list of things that may be wrong. */
  inaccurate_reasons?: readonly string[];
  /** Who said it. */
  user_id?: string;
  /** Where the answer stands. */
  session_type?: SessionType;
  session_id?: string;
  /** The platform's own identifier of the answer, or of the message that it answers. */
  message_id?: string;
  /** What the platform calls the stream that the answer was written in. */
  stream_id?: string;
}
