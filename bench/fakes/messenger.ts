/** Something that somebody wrote to the bot, and what came of it. Moments are as `performance.now()` counts them. */
export interface Question {
  /** Unique among all questions. */
  id: string;
  conversation: string;
  text: string;
  /** Place in its conversation, from 1. */
  place: number;
  /** When it was due to be handed over. */
  due: number;
  /** When the service said that it has it; null while it did not. */
  acknowledgedAt: number | null;
  /** What arrived in answer, without what the platform dropped as a repeat. */
  answers: ArrivedAnswer[];
}

export interface ArrivedAnswer {
  at: number;
  text: string;
  /** Which of the messages that the answer was split into, from 0. */
  piece: number;
  /** When the service was told that it arrived; null while it was not. */
  confirmedAt: number | null;
}

/** A messaging platform that people write to the bot on. It outlives the service. */
export interface Messenger {
  /** What a bot's record calls the platform. */
  adapter: string;
  adapterConfig: Record<string, unknown>;
  /** Somebody writes. The platform hands it over, now or once the bot is connected, until the service has it. */
  say(question: Pick<Question, 'id' | 'conversation' | 'text' | 'due'>): void;
  /** Every question so far, oldest first, with what is known of it now. */
  questions(): readonly Question[];
  asked(): number;
  /** How many questions were answered. */
  answered(): number;
  /** Resolves when the bot is connected, at once when it is. */
  connected(): Promise<void>;
  close(): Promise<void>;
}

/** What a question is asked like; the model finds its id in it. */
export function questionText(id: string): string {
  return `Question #${id}: what is the weather going to be like where I live, and do I need an umbrella?`;
}

/** The id of the question in a text, or null. */
export function idIn(text: string): string | null {
  return /#([\w-]+)/.exec(text)?.[1] ?? null;
}
