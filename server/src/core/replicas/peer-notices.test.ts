import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type NoticeBatch, PeerNotices } from './peer-notices.ts';

/** What was sent, by receiver; a receiver in `away` cannot be reached. */
let sent: { to: string; batch: NoticeBatch }[];
let away: Set<string>;
let notices: PeerNotices;
/** Settles what is being sent, once it is set. */
let arrival: Promise<void> | null;
let isWatched: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  away = new Set();
  arrival = null;
  isWatched = true;
  notices = new PeerNotices({
    maximum: 10,
    send: async (to, batch) => {
      if (away.has(to)) throw new Error('unreachable');
      sent.push({ to, batch: JSON.parse(batch) as NoticeBatch });
      await arrival;
      return { isWatched };
    },
  });
});
afterEach(() => {
  notices.close();
  vi.useRealTimers();
});

const toldTo = (receiver: string) => sent.filter(({ to }) => to === receiver).map(({ batch }) => batch);

/** The other side of a receiver. */
function receiver() {
  const received: unknown[] = [];
  const taking = new PeerNotices({ send: async () => undefined });
  taking.on('text', Type.String(), (text) => void received.push(text));
  taking.onMissed(() => void received.push('missed'));
  return { received, take: (batch: NoticeBatch, from = 'one') => taking.take(from, batch), taking };
}

describe('notices', () => {
  it('are collected for 50 ms, and numbered for each receiver', async () => {
    notices.see(['two', 'three']);
    await vi.advanceTimersByTimeAsync(0);
    notices.tell('text', 'a');
    await vi.advanceTimersByTimeAsync(30);
    notices.tell('text', 'b', { to: 'two' });
    await vi.advanceTimersByTimeAsync(19);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    notices.tell('text', 'c');
    await vi.advanceTimersByTimeAsync(50);
    const text = (...data: string[]) => data.map((one) => ({ kind: 'text', data: one }));
    expect(toldTo('two')).toEqual([
      { first: 1, notices: [] },
      { first: 1, notices: text('a', 'b') },
      { first: 3, notices: text('c') },
    ]);
    expect(toldTo('three')).toEqual([
      { first: 1, notices: [] },
      { first: 1, notices: text('a') },
      { first: 2, notices: text('c') },
    ]);
  });

  it('that are deferrable wait for a second where nobody watches, unless others are sent', async () => {
    isWatched = false;
    notices.see(['two']);
    await vi.advanceTimersByTimeAsync(0);
    const tell = (text: string, isDeferrable: boolean) => notices.tell('text', text, { isDeferrable });
    tell('a', true);
    await vi.advanceTimersByTimeAsync(999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    tell('b', true);
    await vi.advanceTimersByTimeAsync(100);
    tell('c', false);
    tell('d', true);
    isWatched = true;
    await vi.advanceTimersByTimeAsync(50);
    tell('e', true);
    await vi.advanceTimersByTimeAsync(50);
    const texts = toldTo('two').map(({ notices: told }) => told.map(({ data }) => data).join(''));
    expect(texts).toEqual(['', 'a', 'bcd', 'e']);
  });

  it('that are many are not collected any longer', async () => {
    const large = new PeerNotices({
      send: async (to, batch) => {
        sent.push({ to, batch: JSON.parse(batch) as NoticeBatch });
        return { isWatched: false };
      },
    });
    large.see(['two']);
    await vi.advanceTimersByTimeAsync(0);
    for (let count = 0; count < 199; count += 1) large.tell('text', 'a', { isDeferrable: true });
    await vi.advanceTimersByTimeAsync(50);
    expect(sent).toHaveLength(1);
    large.tell('text', 'a', { isDeferrable: true });
    await vi.advanceTimersByTimeAsync(50);
    expect(sent[1]?.batch.notices).toHaveLength(200);
    large.close();
  });

  it('that repeat another one are sent once in a batch', async () => {
    notices.see(['two']);
    await vi.advanceTimersByTimeAsync(0);
    for (let times = 0; times < 100; times += 1) notices.tell('due', 'messages', { isRepeatable: true });
    await vi.advanceTimersByTimeAsync(50);
    expect(toldTo('two').at(-1)).toEqual({ first: 1, notices: [{ kind: 'due', data: 'messages' }] });
  });

  it('reach their listeners in order, without a gap after the greeting', async () => {
    const { received, take } = receiver();
    notices.see(['two']);
    await vi.advanceTimersByTimeAsync(0);
    for (const text of ['a', 'b']) {
      notices.tell('text', text);
      await vi.advanceTimersByTimeAsync(50);
    }
    for (const batch of toldTo('two')) take(batch);
    expect(received).toEqual(['missed', 'a', 'b']);
  });

  it('of a replica that cannot be reached are dropped, and the first that arrives shows a gap', async () => {
    const { received, take } = receiver();
    notices.see(['two']);
    await vi.advanceTimersByTimeAsync(0);
    away.add('two');
    notices.tell('text', 'lost');
    await vi.advanceTimersByTimeAsync(50);
    notices.tell('text', 'lost as well');
    await vi.advanceTimersByTimeAsync(50);
    away.delete('two');
    // Without anything more to tell.
    notices.see(['two']);
    await vi.advanceTimersByTimeAsync(0);
    notices.tell('text', 'c');
    await vi.advanceTimersByTimeAsync(50);
    for (const batch of toldTo('two')) take(batch);
    expect(received).toEqual(['missed', 'missed', 'c']);
  });

  it('wait for a slow replica up to a limit', async () => {
    const { received, take } = receiver();
    const slow = Promise.withResolvers<void>();
    notices.see(['two']);
    await vi.advanceTimersByTimeAsync(0);
    arrival = slow.promise;
    notices.tell('text', 'a');
    await vi.advanceTimersByTimeAsync(50);
    for (let count = 0; count < 1000; count += 1) notices.tell('text', 'too many');
    slow.resolve();
    arrival = null;
    await vi.advanceTimersByTimeAsync(100);
    notices.see(['two']);
    await vi.advanceTimersByTimeAsync(0);
    for (const batch of toldTo('two')) take(batch);
    expect(received).toEqual(['missed', 'a', 'missed']);
  });

  it('of a sender that is new, or started again, follow a gap', () => {
    const { received, take } = receiver();
    take({ first: 1, notices: [] }, 'one');
    take({ first: 1, notices: [{ kind: 'text', data: 'a' }] }, 'one');
    take({ first: 1, notices: [] }, 'one again');
    expect(received).toEqual(['missed', 'a', 'missed']);
  });

  it('that come after later ones are left out', () => {
    const { received, take } = receiver();
    take({ first: 1, notices: [] });
    take({ first: 2, notices: [{ kind: 'text', data: 'b' }] });
    take({ first: 1, notices: [{ kind: 'text', data: 'a' }] });
    expect(received).toEqual(['missed', 'missed', 'b']);
  });

  it.each([
    ['of an unknown kind', { kind: 'news', data: 'x' }],
    ['with other data', { kind: 'text', data: { nested: ['x'] } }],
    ['without data', { kind: 'text', data: null }],
  ])('%s are left out', (_, notice) => {
    const { received, take } = receiver();
    take({ first: 1, notices: [notice, { kind: 'text', data: 'a' }] });
    expect(received).toEqual(['missed', 'a']);
  });

  it('are sent to no replica after the end, nor to one that has ended', async () => {
    notices.see(['two']);
    await vi.advanceTimersByTimeAsync(0);
    notices.tell('text', 'a');
    notices.see([]);
    await vi.advanceTimersByTimeAsync(100);
    notices.close();
    notices.see(['two']);
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('start with one again under a new id', async () => {
    notices.see(['two']);
    await vi.advanceTimersByTimeAsync(0);
    notices.tell('text', 'a');
    await vi.advanceTimersByTimeAsync(50);
    notices.restart();
    notices.see(['two']);
    await vi.advanceTimersByTimeAsync(0);
    expect(toldTo('two').at(-1)).toEqual({ first: 1, notices: [] });
  });
});
