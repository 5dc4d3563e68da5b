import type { RecordedSend } from './record.ts';

/** A pause that exceeds this many seconds is one of the whole bot. */
const longestChatPause = 60;
/** So many chats limited at once are a limit of the whole bot. */
const chatsOfBotLimit = 3;
/** What was sent before the refusal was read is no fault: milliseconds. */
const readingMs = 500;
/** Given times are whole seconds; a request may take as long less to arrive: milliseconds. */
const roundingMs = 50;

interface Pause {
  chat: number;
  isOfBot: boolean;
  from: number;
  until: number;
}

/**
 * Sends that a platform received after it had asked for a pause and before that was over: of the chat, or of the whole
 * bot where the pause is long or three chats were limited at once.
 */
export function earlySends(sends: readonly RecordedSend[]): RecordedSend[] {
  const early: RecordedSend[] = [];
  for (const ofBot of Map.groupBy(sends, ({ bot }) => bot).values()) {
    const pauses = ofBot.flatMap(pauseOf);
    for (const send of ofBot) {
      const known = pauses.filter(({ from, until }) => from < send.receivedAt && send.receivedAt < until);
      const chats = new Set(known.map(({ chat }) => chat));
      const isHeld = known.some(({ isOfBot, chat }) => isOfBot || chat === send.chat);
      if (isHeld || chats.size >= chatsOfBotLimit) early.push(send);
    }
  }
  return early;
}

/** The pause that an answer asks for, from when it must be known. */
function pauseOf({ chat, status, retryAfter, answeredAt }: RecordedSend): Pause[] {
  if (status !== 429 || answeredAt === null || typeof retryAfter !== 'number' || !(retryAfter > 0)) return [];
  const until = answeredAt + retryAfter * 1000 - roundingMs;
  return [{ chat, isOfBot: retryAfter > longestChatPause, from: answeredAt + readingMs, until }];
}
