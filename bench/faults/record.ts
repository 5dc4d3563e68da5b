// What the fake Telegram records and the judge reads. Times are milliseconds since 1970, with fractions, comparable
// between the processes of one machine.

/** The present time. */
export function present(): number {
  return performance.timeOrigin + performance.now();
}

/** A message that a user wrote to a bot. */
export interface EvaluatedQuestion {
  id: string;
  bot: string;
  chat: number;
  parts: number;
  /** When the user wrote it. */
  at: number;
  /** When the service confirmed its update; null while it did not. */
  confirmedAt: number | null;
  /** How many polls handed it out. */
  handedOut: number;
}

/** A request that changes what users see, or tries to. */
export interface RecordedSend {
  bot: string;
  chat: number;
  /** Questions whose answers its text shows, complete or not. */
  questions: string[];
  method: 'sendMessage' | 'editMessageText' | 'deleteMessage';
  /** The message that it made or names; null where none was made. */
  messageId: number | null;
  /** When all of the request was there. */
  receivedAt: number;
  /** When it took effect; null when it did not. */
  appliedAt: number | null;
  /** When the answer was handed to the system; null when none was. */
  answeredAt: number | null;
  /** HTTP status of the answer; 0 without one. */
  status: number;
  /** `retry_after` of the answer, as given; null where none was. */
  retryAfter: number | string | null;
  /** Process id of the service that sent it; 0 where it did not say. */
  process: number;
}

/** A message of a bot as users see it at the end. */
export interface VisibleMessage {
  bot: string;
  chat: number;
  messageId: number;
  text: string;
  /** When it first appeared. */
  sentAt: number;
}

/** A poll of a bot that began while another one was open: Telegram ends the earlier one. */
export interface PollConflict {
  bot: string;
  at: number;
  /** Process ids of the two. */
  earlier: number;
  later: number;
}

/** Everything that the fake Telegram knows. */
export interface TelegramRecord {
  questions: EvaluatedQuestion[];
  sends: RecordedSend[];
  visible: VisibleMessage[];
  conflicts: PollConflict[];
}

/** What a request meets instead of being carried out. */
export type FaultAction =
  /** 429. With a number and `countsDown`, later answers give the rest of the pause, and it ends when the rule does. */
  | { kind: 'limit'; retryAfter: number | string; countsDown?: boolean }
  /** Another refusal of Telegram. */
  | { kind: 'refuse'; code: number; description: string }
  /** The connection stays open without a response. */
  | { kind: 'silence' }
  /** An HTML page of a proxy. */
  | { kind: 'page'; status: number }
  /** The connection is closed, before or after the request took effect. */
  | { kind: 'drop'; applied: boolean }
  /** Carried out and answered, later. */
  | { kind: 'slow'; milliseconds: number };

export type MethodKind = 'send' | 'edit' | 'poll' | 'other';

/** A fault that requests meet. Whatever is left out matches all. */
export interface FaultRule {
  action: FaultAction;
  bot?: string;
  chats?: readonly number[];
  methods?: readonly MethodKind[];
  /** Milliseconds from now after which it ends. */
  forMs?: number;
  /** Requests after which it ends. */
  times?: number;
  /** Share of the requests that meet it, from 0 to 1. */
  share?: number;
}
