import { describe, expect, it } from 'vitest';
import { earlySends } from './early-sends.ts';
import type { RecordedSend } from './record.ts';

const send = (chat: number, receivedAt: number, over: Partial<RecordedSend> = {}): RecordedSend => ({
  bot: 'plain',
  chat,
  questions: [],
  method: 'sendMessage',
  messageId: 1,
  process: 1,
  receivedAt,
  appliedAt: receivedAt,
  answeredAt: receivedAt + 10,
  status: 200,
  retryAfter: null,
  ...over,
});
const limited = (chat: number, receivedAt: number, retryAfter: number | string, bot = 'plain') =>
  send(chat, receivedAt, { bot, appliedAt: null, status: 429, retryAfter });

describe('sends before a pause is over', () => {
  it.each<[string, RecordedSend[], number]>([
    ['to the chat', [limited(1, 0, 3), send(1, 2000)], 1],
    ['to the chat after it', [limited(1, 0, 3), send(1, 3100)], 0],
    ['to the chat before the refusal was read', [limited(1, 0, 3), send(1, 100)], 0],
    ['to another chat', [limited(1, 0, 3), send(2, 2000)], 0],
    ['to another chat in a long pause', [limited(1, 0, 90), send(2, 80_000)], 1],
    ['to another chat after a long pause', [limited(1, 0, 90), send(2, 90_500)], 0],
    [
      'to another chat while three are limited',
      [limited(1, 0, 3), limited(2, 1, 3), limited(3, 2, 3), send(4, 1500)],
      1,
    ],
    ['of another bot', [limited(1, 0, 90), send(1, 2000, { bot: 'stream' })], 0],
    [
      'where no sensible time was given',
      [limited(1, 0, 0), limited(1, 10, -5), limited(1, 20, 'soon'), send(1, 1500)],
      0,
    ],
  ])('%s', (_, sends, count) => {
    expect(earlySends(sends)).toHaveLength(count);
  });
});
