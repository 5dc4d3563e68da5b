import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DueNotices } from './due-notices.ts';
import { type NoticeBatch, PeerNotices } from './peer-notices.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Replicas of which each tells the others. */
function replicas(...ids: readonly string[]) {
  const receivers = new Map<string, PeerNotices>();
  return ids.map((id) => {
    const notices = new PeerNotices({
      send: async (to, batch) => void receivers.get(to)?.take(id, JSON.parse(batch) as NoticeBatch),
    });
    receivers.set(id, notices);
    const due = new DueNotices(notices);
    const told: string[] = [];
    due.found.listen((work) => void told.push(work));
    due.changesTold.listen(() => void told.push('records'));
    notices.see(ids.filter((other) => other !== id));
    return { due, told };
  });
}

it('go to all others, each kind once a second: their beats find the rest', async () => {
  const [one, two, three] = replicas('one', 'two', 'three');
  for (let count = 0; count < 3; count += 1) {
    one?.due.changed();
    one?.due.forAny('documents');
    await vi.advanceTimersByTimeAsync(300);
  }
  expect(two?.told.toSorted()).toEqual(['documents', 'records']);
  expect(three?.told.toSorted()).toEqual(['documents', 'records']);
  expect(one?.told).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  one?.due.changed();
  await vi.advanceTimersByTimeAsync(50);
  expect(two?.told.toSorted()).toEqual(['documents', 'records', 'records']);
});

it('go to the replica that takes the work, whenever there is some', async () => {
  const [one, two, three] = replicas('one', 'two', 'three');
  for (let count = 0; count < 3; count += 1) {
    one?.due.forOne('messages', 'two');
    await vi.advanceTimersByTimeAsync(60);
  }
  expect(two?.told).toEqual(['messages', 'messages', 'messages']);
  expect(three?.told).toEqual([]);
});
