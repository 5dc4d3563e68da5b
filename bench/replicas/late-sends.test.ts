import { expect, it } from 'vitest';
import type { RecordedSend } from '../faults/record.ts';
import { lateSends } from './late-sends.ts';

const send = (process: number, receivedAt: number, question = 'q1'): RecordedSend => ({
  bot: 'plain',
  chat: 1,
  questions: [question],
  method: 'sendMessage',
  messageId: 1,
  process,
  receivedAt,
  appliedAt: receivedAt,
  answeredAt: receivedAt,
  status: 200,
  retryAfter: null,
});
const pause = { pid: 1, from: 1000, until: 31_000 };

it.each<[string, RecordedSend[], number[], number]>([
  ['of what another one has taken over', [send(1, 900), send(2, 15_000), send(1, 31_500)], [], 1],
  ['that had been on the wire', [send(1, 1100), send(2, 15_000)], [], 0],
  ['of something else', [send(2, 15_000), send(1, 31_500, 'q2')], [], 0],
  ['of what the other one has left to it, as that stood still', [send(2, 35_000), send(1, 45_000)], [2], 0],
  ['after another one that was stopped stood still later', [send(2, 15_000), send(1, 31_500)], [2], 1],
])('sends of a process that stood still, %s', (_, sends, alsoStopped, count) => {
  const pauses = [pause, ...alsoStopped.map((pid) => ({ pid, from: 35_100, until: 65_100 }))];
  expect(lateSends(sends, pauses)).toHaveLength(count);
});
