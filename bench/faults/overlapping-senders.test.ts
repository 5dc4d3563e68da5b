import { describe, expect, it } from 'vitest';
import { overlappingSends } from './overlapping-senders.ts';
import type { RecordedSend } from './record.ts';

const send = (process: number, receivedAt: number, bot = 'plain'): RecordedSend => ({
  bot,
  chat: 1,
  questions: [],
  method: 'sendMessage',
  messageId: 1,
  process,
  receivedAt,
  appliedAt: receivedAt,
  answeredAt: receivedAt,
  status: 200,
  retryAfter: null,
});

describe('processes that send beside each other', () => {
  it('are not those that send one after the other', () => {
    expect(overlappingSends([send(1, 0), send(1, 100), send(2, 200), send(2, 300)])).toEqual([]);
  });

  it('are not those that send for different bots', () => {
    expect(overlappingSends([send(1, 0), send(2, 50, 'other'), send(1, 100)])).toEqual([]);
  });

  it('are found, also when one of them only sends once', () => {
    expect(overlappingSends([send(1, 0), send(2, 50), send(1, 100)])).toEqual([send(2, 50)]);
  });
});
