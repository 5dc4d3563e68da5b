import type { AdapterSockets, ShownPart, SocketPlace, StoredPart } from '@parley/sdk/internal';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type NoticeBatch, PeerNotices } from '../replicas/peer-notices.ts';
import { ChatSharing } from './chat-sharing.ts';
import type { PlacedPart } from './shown-part-store.ts';

const place: SocketPlace = { pipeline_uuid: 'p', session_type: 'person', session_id: 'ada', thread_id: '' };
const part = (uuid: string): ShownPart => ({ uuid, piece: 0, connection_id: '', is_failure: false, is_stopped: false });

/** What a replica has of other replicas' messages, and what its sockets were shown. */
function replica({ isWatched = true } = {}) {
  const shown: string[] = [];
  const database = { stored: [] as string[], reads: 0, looks: [] as string[], fails: false };
  const told: { kind: string; data: unknown }[] = [];
  const placed = (uuid: string): PlacedPart => ({
    place,
    // The rest of it is not looked at.
    part: part(uuid) as StoredPart,
  });
  const notices = new PeerNotices({
    send: async (_, batch) => void told.push(...(JSON.parse(batch) as NoticeBatch).notices),
  });
  const sockets: AdapterSockets = {
    places: () => (isWatched ? [place] : []),
    has: () => isWatched,
    stored: (_, { uuid }, isLate) => void shown.push(isLate ? `${uuid} late` : uuid),
    growing: (_, uuid, frame) => void shown.push(`${uuid}: ${frame}`),
    frame: (_, frame) => void shown.push(frame),
  };
  const sharing = new ChatSharing({
    notices,
    sockets: (bot) => (bot === 'bot' ? sockets : null),
    logger: silentLogger,
    parts: {
      read: async (parts) => {
        database.reads += 1;
        if (database.fails) throw new Error('the database is away');
        return parts.filter(({ uuid }) => database.stored.includes(uuid)).map(({ uuid }) => placed(uuid));
      },
      since: async (_, __, since) => {
        database.looks.push(since);
        if (database.fails) throw new Error('the database is away');
        return database.stored.map(placed);
      },
    },
  });
  let next = 1;
  /** Takes what another one tells. */
  const take = (...data: unknown[]) => {
    notices.take('other', { first: next, notices: data.map((one) => ({ kind: 'chat', data: one })) });
    next += data.length;
    return vi.advanceTimersByTimeAsync(0);
  };
  const skip = () => {
    next += 1;
  };
  return { sharing, notices, told, take, shown, database, skip };
}

const stored = (uuid: string) => ({ type: 'stored', bot: 'bot', place, part: part(uuid) });
const growing = (uuid: string, frame: string) => ({ type: 'growing', bot: 'bot', place, uuid, frame });
const frame = (text: string) => ({ type: 'frame', bot: 'bot', place, frame: text });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('what other replicas show', () => {
  it('is shown in its order, and read at once', async () => {
    const { take, shown, database } = replica();
    database.stored = ['q', 'a'];
    await take(stored('q'), growing('a', 'be'), frame('stopped'), stored('a'), stored('gone'));
    expect(shown).toEqual(['q', 'a: be', 'stopped', 'a']);
    expect(database.reads).toBe(1);
  });

  it('is not read where no socket shows it', async () => {
    const { take, shown, database } = replica({ isWatched: false });
    database.stored = ['q'];
    await take(stored('q'), growing('q', 'be'));
    expect([shown, database.reads]).toEqual([[], 0]);
  });

  it('is found in the database after a gap', async () => {
    const { sharing, take, skip, shown, database } = replica();
    sharing.elsewhere('bot');
    sharing.see(['other'], true);
    await take();
    shown.length = 0;
    database.stored = ['lost', 'told'];
    skip();
    await take(stored('told'));
    // Sockets leave out what they got before.
    expect(shown).toEqual(['lost late', 'told late', 'told']);
  });

  it('is found after a failed read, with the next beat', async () => {
    const { sharing, take, shown, database } = replica();
    sharing.elsewhere('bot');
    sharing.see(['other'], true);
    await take();
    database.stored = ['q'];
    database.fails = true;
    await take(stored('q'));
    database.fails = false;
    expect(shown).toEqual([]);
    sharing.see(['other'], true);
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).toEqual(['q late']);
  });

  it('is looked for when a replica has ended, every ten beats, and with each where no notices arrive', async () => {
    const { sharing, database } = replica();
    sharing.elsewhere('bot');
    const beats = async (count: number, others: string[], isTold = true) => {
      for (let beat = 0; beat < count; beat += 1) {
        sharing.see(others, isTold);
        await vi.advanceTimersByTimeAsync(0);
      }
      return database.looks.splice(0).length;
    };
    expect(await beats(9, ['other'])).toBe(0);
    expect(await beats(1, ['other'])).toBe(1);
    expect(await beats(1, [])).toBe(1);
    expect(await beats(20, [])).toBe(0);
    expect(await beats(10, ['other'])).toBe(1);
    expect(await beats(3, ['other'], false)).toBe(3);
  });
});

describe('what is shown here', () => {
  it('is sent by id; of answers that are written, the latest start twice a second', async () => {
    const { sharing, notices, told } = replica();
    const { stored: store, growing: grow } = sharing.elsewhere('bot');
    grow(place, 'alone', 'no receiver');
    notices.see(['other']);
    await vi.advanceTimersByTimeAsync(100);
    const begun = performance.now();
    while (performance.now() - begun < 1990) {
      grow(place, 'a', `after ${performance.now() - begun} ms`);
      await vi.advanceTimersByTimeAsync(10);
    }
    store(place, part('a'));
    await vi.advanceTimersByTimeAsync(2000);
    const texts = told.map(({ data }) => (data as { type: string; frame?: string }).frame ?? data);
    expect(texts).toEqual(['after 490 ms', 'after 990 ms', 'after 1490 ms', stored('a')]);
  });

  it('is sent less often the longer it is', async () => {
    const { sharing, notices, told } = replica();
    const { growing: grow } = sharing.elsewhere('bot');
    notices.see(['other']);
    await vi.advanceTimersByTimeAsync(100);
    grow(place, 'a', 'x'.repeat(80_000));
    await vi.advanceTimersByTimeAsync(1900);
    expect(told).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(200);
    expect(told).toHaveLength(1);
  });
});
