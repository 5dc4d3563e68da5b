import { openLoop } from '../../lib/open-loop.ts';
import { questionText } from '../answer-text.ts';
import type { Stage } from './stage.ts';

export interface UserLoad {
  /** Questions a second, over all bots and conversations. */
  rate: number;
  /** Over all bots. */
  conversations: number;
  /** Parts that an answer has. Default 1. */
  parts?: number;
}

/** Numbers questions, so that each is unique in the harness' process. */
let lastQuestion = 0;

/** The chats in which users write to a bot: a number of their own for each bot. */
export function chatsOf(stage: Pick<Stage, 'bots'>, bot: string, conversations: number): number[] {
  const index = stage.bots.findIndex(({ name }) => name === bot);
  const each = Math.max(1, Math.floor(conversations / stage.bots.length));
  return Array.from({ length: each }, (_, place) => (index + 1) * 10_000 + place + 1);
}

/** A user writes. */
export async function ask(stage: Stage, bot: string, chat: number, parts = 1): Promise<string> {
  lastQuestion += 1;
  const id = `q${lastQuestion}`;
  await stage.telegram.say(bot, chat, questionText(id, parts));
  return id;
}

/** Users write in random conversations until the signal, or as long as told. @returns how many questions */
export async function askUntil(
  stage: Stage,
  { rate, conversations, parts = 1 }: UserLoad,
  end: { signal?: AbortSignal; seconds?: number },
): Promise<number> {
  const chats = new Map(stage.bots.map(({ name }) => [name, chatsOf(stage, name, conversations)]));
  const sent: Promise<unknown>[] = [];
  const { seconds = 3600, signal } = end;
  const asked = await openLoop({ rate, seconds, ...(signal === undefined ? {} : { signal }) }, (index) => {
    const { name } = stage.bots[index % stage.bots.length] as { name: string };
    const ofBot = chats.get(name) as number[];
    // A place in the list.
    sent.push(ask(stage, name, ofBot[Math.floor(Math.random() * ofBot.length)] as number, parts));
  });
  await Promise.all(sent);
  return asked;
}
