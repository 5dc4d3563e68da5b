/** Feedback on an answer. */
export interface Feedback {
  /** Unique among those of a bot; another one with the same takes its place. */
  feedback_id: string;
  /** Time of the last change, ISO 8601 UTC. */
  created_at: string;
  /** 1 for a like, 2 for a dislike. */
  feedback_type: 1 | 2;
  feedback_content: string | null;
  inaccurate_reasons: string[] | null;
  bot_uuid: string;
  /** Empty when the bot had none. */
  pipeline_uuid: string;
  /** `person_<id>` or `group_<id>`. */
  session_id: string | null;
  /** Null when it is unknown which of our messages the platform refers to. */
  message_uuid: string | null;
  /** The id of the message on the platform. */
  platform_message_id: string | null;
  stream_id: string | null;
  user_id: string | null;
  /** The bot's adapter. */
  platform: string | null;
}

/** What a caller said of a message. */
export interface Opinion {
  message_uuid: string;
  feedback_type: 1 | 2;
}

/** New feedback on an answer. */
export interface GivenFeedback {
  feedback_type: 1 | 2;
  feedback_content?: string | null | undefined;
  inaccurate_reasons?: readonly string[] | null | undefined;
}
