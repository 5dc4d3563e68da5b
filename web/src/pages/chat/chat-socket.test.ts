import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type FakeSocket, fakeSockets } from '../../../testing/fake-sockets.ts';
import { ChatSocket, type ConnectionState, type ServerFrame } from './chat-socket.ts';

let sockets: FakeSocket[];
let states: ConnectionState[];
let frames: ServerFrame[];
/** Resolves false to prevent the next attempt. */
let mayRetry: () => Promise<boolean>;
const retries = vi.fn(() => mayRetry());

beforeEach(() => {
  vi.useFakeTimers();
  // The longest pauses.
  vi.spyOn(Math, 'random').mockReturnValue(1);
  sockets = fakeSockets();
  [states, frames] = [[], []];
  mayRetry = async () => true;
  retries.mockClear();
});

function open(): ChatSocket {
  const socket = new ChatSocket('ws://localhost/chat', {
    onState: (state) => states.push(state),
    onFrame: (frame) => frames.push(frame),
    mayRetry: retries,
  });
  onTestFinished(() => socket.close());
  return socket;
}

const latest = () => sockets.at(-1) as FakeSocket;
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe('a connection', () => {
  it('is open once the server has greeted', () => {
    open();
    expect([states, latest().url]).toEqual([['connecting'], 'ws://localhost/chat']);
    latest().accept();
    expect(states).toEqual(['connecting', 'open']);
    expect(frames).toEqual([{ type: 'connected', connection_id: 'c1', person_id: 'p1' }]);
    expect(retries).not.toHaveBeenCalled();
  });

  it('sends messages only while it is open', () => {
    const socket = open();
    expect(socket.send({ message_id: 'm1', text: 'early' })).toBe(false);
    latest().accept();
    expect(socket.send({ message_id: 'm2', text: 'hello' })).toBe(true);
    latest().drop();
    expect(socket.send({ message_id: 'm3', text: 'late' })).toBe(false);
    const message = [{ type: 'Plain', text: 'hello' }];
    expect(latest().sent).toEqual([{ type: 'message', message, stream: true, message_id: 'm2' }]);
  });

  it('is asked for a sign of life after 25 quiet seconds', async () => {
    open();
    latest().accept();
    await pass(24_999);
    expect(latest().sent).toEqual([]);
    await pass(1);
    expect(latest().sent).toEqual([{ type: 'ping' }]);
  });

  it('is not asked while frames arrive', async () => {
    open();
    latest().accept();
    for (let count = 0; count < 3; count += 1) {
      await pass(20_000);
      latest().receive({ type: 'pong' });
    }
    expect(latest().sent).toEqual([]);
  });

  it('stays open when the server answers', async () => {
    open();
    latest().accept();
    await pass(25_000 + 9_999);
    latest().receive({ type: 'pong' });
    await pass(24_999);
    expect(states.at(-1)).toBe('open');
    expect(sockets).toHaveLength(1);
  });

  it('is lost 10 seconds after an unanswered ping', async () => {
    open();
    latest().accept();
    await pass(25_000 + 9_999);
    expect(states.at(-1)).toBe('open');
    await pass(1);
    expect(states.at(-1)).toBe('lost');
    expect(latest().readyState).toBe(3);
  });

  it('that is not established in 10 seconds is given up', async () => {
    open();
    await pass(10_000);
    expect(states).toEqual(['connecting', 'lost']);
    await pass(500);
    expect(sockets).toHaveLength(2);
  });

  it('reports a message that is too large, and is opened again', async () => {
    open();
    latest().accept();
    latest().drop(1009);
    expect(frames.at(-1)).toMatchObject({ type: 'error', reason: 'too_large' });
    await pass(500);
    expect(sockets).toHaveLength(2);
  });
});

describe('after a loss', () => {
  it('each attempt waits twice as long, 15 seconds at most', async () => {
    open();
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      latest().drop();
      const [lost, began] = [sockets.length, Date.now()];
      while (sockets.length === lost) await pass(50);
      pauses.push(Date.now() - began);
    }
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
  });

  it('half of the pause is random', async () => {
    vi.mocked(Math.random).mockReturnValue(0);
    open();
    latest().drop();
    await pass(249);
    expect(sockets).toHaveLength(1);
    await pass(1);
    expect(sockets).toHaveLength(2);
  });

  it('the pauses start again from the shortest once a connection was open', async () => {
    open();
    for (const pause of [500, 1000, 2000]) {
      latest().drop();
      await pass(pause);
    }
    expect(sockets).toHaveLength(4);
    latest().accept();
    latest().drop();
    await pass(500);
    expect(sockets).toHaveLength(5);
  });

  it('a connection that the server did not greet does not count as open', async () => {
    open();
    latest().readyState = 1;
    latest().drop();
    await pass(500);
    latest().readyState = 1;
    latest().drop();
    await pass(999);
    expect(sockets).toHaveLength(2);
    expect(states).not.toContain('open');
  });

  it('there is no attempt if it is pointless', async () => {
    mayRetry = async () => false;
    open();
    latest().drop();
    await pass(60_000);
    expect(sockets).toHaveLength(1);
    expect(states.at(-1)).toBe('lost');
    expect(retries).toHaveBeenCalledOnce();
  });

  it('what the old connection still reports is ignored', async () => {
    open();
    const old = latest();
    old.accept();
    old.drop();
    await pass(500);
    latest().accept();
    old.receive({ type: 'pong' });
    old.drop();
    expect(states).toEqual(['connecting', 'open', 'lost', 'connecting', 'open']);
    expect(frames.filter(({ type }) => type === 'pong')).toEqual([]);
  });
});

describe('the network or the user being back', () => {
  const loseForLong = async () => {
    open();
    for (const pause of [500, 1000, 2000, 4000]) {
      latest().drop();
      await pass(pause);
    }
    latest().drop();
  };
  const hidden = (value: boolean) => vi.spyOn(document, 'hidden', 'get').mockReturnValue(value);

  it.each([
    ['online', () => window.dispatchEvent(new Event('online'))],
    ['visibilitychange', () => document.dispatchEvent(new Event('visibilitychange'))],
  ])('connects at once: %s', async (_, happen) => {
    await loseForLong();
    happen();
    await pass(0);
    expect(sockets).toHaveLength(6);
  });

  it('connects once, however often it is reported', async () => {
    await loseForLong();
    window.dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(60);
    expect(sockets).toHaveLength(6);
  });

  it('makes the pauses short again', async () => {
    await loseForLong();
    window.dispatchEvent(new Event('online'));
    await pass(0);
    latest().drop();
    await pass(500);
    expect(sockets).toHaveLength(7);
  });

  it('does not concern a hidden page', async () => {
    await loseForLong();
    hidden(true);
    window.dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(7999);
    expect(sockets).toHaveLength(5);
  });

  it('does not concern an open connection', async () => {
    open();
    latest().accept();
    window.dispatchEvent(new Event('online'));
    await pass(0);
    expect(sockets).toHaveLength(1);
  });
});

describe('closing', () => {
  it('ends the connection and leaves no timer', async () => {
    const socket = open();
    latest().accept();
    socket.close();
    expect(latest().readyState).toBe(3);
    expect(vi.getTimerCount()).toBe(0);
    window.dispatchEvent(new Event('online'));
    await pass(60_000);
    expect(sockets).toHaveLength(1);
    expect(states.at(-1)).toBe('open');
  });

  it('before it is established waits for that, and takes no frames any more', async () => {
    const socket = open();
    socket.close();
    expect(latest().readyState).toBe(0);
    latest().accept();
    expect(latest().readyState).toBe(3);
    expect(frames).toEqual([]);
    await pass(60_000);
    expect(sockets).toHaveLength(1);
  });

  it('between attempts prevents the next one', async () => {
    const socket = open();
    latest().drop();
    socket.close();
    await pass(60_000);
    expect(sockets).toHaveLength(1);
    expect(retries).not.toHaveBeenCalled();
  });

  it('while it is being checked whether to retry prevents the attempt', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    mayRetry = () => promise;
    const socket = open();
    latest().drop();
    await pass(500);
    expect(retries).toHaveBeenCalledOnce();
    socket.close();
    resolve(true);
    await pass(0);
    expect(sockets).toHaveLength(1);
  });
});
