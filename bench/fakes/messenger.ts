/** A message of a user to the bot, and its answer. Times are in `performance.now()`. */
export interface Question {
  /** Unique among all questions. */
  id: string;
  conversation: string;
  text: string;
  /** Number in its conversation, from 1. */
  place: number;
  /** When it was due for delivery. */
  due: number;
  /** When the service acknowledged it; null before. */
  acknowledgedAt: number | null;
  /** The answer on the platform, without dropped repeats. */
  answers: ArrivedAnswer[];
}

export interface ArrivedAnswer {
  at: number;
  text: string;
  /** Index of the part of the answer, from 0. */
  piece: number;
  /** When its arrival was confirmed to the service; null before. */
  confirmedAt: number | null;
}

/** A messaging platform whose users write to the bot. It survives the service. */
export interface Messenger {
  /** Name of the platform in bot records. */
  adapter: string;
  adapterConfig: Record<string, unknown>;
  /**
   * Sends a question. The platform delivers it, now or once the bot is connected, until the service acknowledges it.
   */
  say(question: Pick<Question, 'id' | 'conversation' | 'text' | 'due'>): void;
  /** All questions so far, oldest first, with their current state. */
  questions(): readonly Question[];
  asked(): number;
  /** Number of answered questions. */
  answered(): number;
  /** Resolves when the bot is connected, immediately if it is. */
  connected(): Promise<void>;
  close(): Promise<void>;
}

/** The text of a question; the model finds its id in it. */
export function questionText(id: string): string {
  return `Question #${id}: what is the weather going to be like where I live, and do I need an umbrella?`;
}

/** The id of the question in a text, or null. */
export function idIn(text: string): string | null {
  return /#([\w-]+)/.exec(text)?.[1] ?? null;
}
