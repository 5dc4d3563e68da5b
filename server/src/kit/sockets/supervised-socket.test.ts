import { type ConnectionReport, ParleyError, type SocketConnection } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SupervisedSocket, type SupervisedSocketOptions } from './supervised-socket.ts';

/** A connection that a test ends, and whose platform responds to pings until it is silent. */
class FakeSocket implements SocketConnection {
  readonly sent: unknown[] = [];
  readonly #closed = Promise.withResolvers<{ code: number; reason: string }>();
  readonly closed = this.#closed.promise;
  #activity: () => void = () => undefined;
  isSilent = false;
  pings = 0;
  isOpen = true;

  async send(data: string | Uint8Array): Promise<void> {
    this.sent.push(data);
  }
  ping(): void {
    this.pings += 1;
    if (!this.isSilent) this.#activity();
  }
  async roundTrip(): Promise<void> {}
  close(code = 1000, reason = ''): void {
    this.isOpen = false;
    this.#closed.resolve({ code, reason });
  }
  terminate(): void {
    this.close(1006);
  }
  onMessage(): void {}
  onActivity(listener: () => void): void {
    this.#activity = listener;
  }
}

let sockets: FakeSocket[];
let attempts: number[];
let reports: ConnectionReport[];
let connect: () => Promise<SocketConnection>;
let begin: (socket: SocketConnection) => Promise<void>;
let supervised: SupervisedSocket;
let hosts = 0;

function create(over: Partial<SupervisedSocketOptions> = {}): SupervisedSocket {
  hosts += 1;
  supervised = new SupervisedSocket({
    host: `host-${hosts}`,
    connect: () => {
      attempts.push(Date.now());
      return connect();
    },
    begin: (socket) => begin(socket),
    report: (report) => void reports.push(report),
    ...over,
  });
  return supervised;
}
const last = () => sockets.at(-1) as FakeSocket;
const endsEarly = () => {
  last().close(4004, 'bad token');
  return new Promise<never>(() => undefined);
};
const unreachable = () => Promise.reject(new ParleyError('platform_failed', 'Nobody there'));

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, attempts, reports] = [[], [], []];
  connect = async () => {
    sockets.push(new FakeSocket());
    return last();
  };
  begin = async () => undefined;
});
afterEach(async () => {
  await supervised.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('a supervised connection', () => {
  it('starts when it can be used', async () => {
    const ready = Promise.withResolvers<void>();
    begin = () => ready.promise;
    const starting = create().start();
    await vi.advanceTimersByTimeAsync(100);
    expect(() => supervised.socket).toThrow('not connected');
    ready.resolve();
    await starting;
    expect(supervised.socket).toBe(last());
    expect(reports).toEqual([]);
  });

  it.each<[what: string, fail: () => void]>([
    ['the server is unreachable', () => (connect = unreachable)],
    ['the handshake fails', () => (begin = unreachable)],
    ['it ends during the handshake', () => (begin = endsEarly)],
  ])('does not start when %s, and leaves nothing open', async (_, fail) => {
    fail();
    await expect(create().start()).rejects.toMatchObject({ reason: 'platform_failed' });
    expect(sockets.filter(({ isOpen }) => isOpen)).toEqual([]);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(attempts).toHaveLength(1);
  });

  it('does not start when the platform does not respond in time', async () => {
    begin = () => new Promise(() => undefined);
    const starting = expect(create({ timing: { begin: 5000 } }).start()).rejects.toThrow('in time');
    await vi.advanceTimersByTimeAsync(5000);
    await starting;
    await vi.waitFor(() => expect(last().isOpen).toBe(false));
  });

  it('is replaced when it breaks, at once after a stable one, else with pauses that grow up to a limit', async () => {
    await create({ timing: { firstPause: 1000, longestPause: 8000, stable: 30_000 } }).start();
    await vi.advanceTimersByTimeAsync(30_000);
    last().terminate();
    await vi.advanceTimersByTimeAsync(1);
    expect(sockets).toHaveLength(2);
    expect(reports).toEqual([
      { state: 'reconnecting', reason: 'platform_failed', message: expect.stringContaining('1006') },
      { state: 'connected' },
    ]);
    connect = unreachable;
    last().terminate();
    await vi.advanceTimersByTimeAsync(600_000);
    const pauses = attempts.slice(2).map((at, index) => at - (attempts[index + 1] ?? 0));
    expect(pauses.length).toBeGreaterThan(600_000 / 16_000);
    for (const pause of pauses.slice(1)) expect(pause).toBeLessThanOrEqual(16_000);
    connect = async () => {
      sockets.push(new FakeSocket());
      return last();
    };
    await vi.advanceTimersByTimeAsync(16_000);
    expect(reports.at(-1)).toEqual({ state: 'connected' });
  });

  it('is ended when it is silent for two heartbeats', async () => {
    await create({ heartbeat: { intervalMs: 1000, beat: (socket) => socket.ping() } }).start();
    const first = last();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(first.isOpen).toBe(true);
    first.isSilent = true;
    await vi.advanceTimersByTimeAsync(3000);
    expect(first.isOpen).toBe(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect(supervised.socket).not.toBe(first);
  });

  it('is replaced when the platform asks for it', async () => {
    await create().start();
    await vi.advanceTimersByTimeAsync(60_000);
    supervised.reconnect();
    await vi.advanceTimersByTimeAsync(1);
    expect(sockets.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  });

  it('is not replaced after a fault that lasts, which is reported once', async () => {
    await create({
      lastingFault: ({ code }) => (code === 4014 ? new ParleyError('invalid_request', 'An intent is missing') : null),
    }).start();
    last().close(4014);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(attempts).toHaveLength(1);
    expect(reports.filter(({ state }) => state === 'failed')).toEqual([
      { state: 'failed', reason: 'invalid_request', message: 'An intent is missing' },
    ]);
  });

  it.each<[what: string, until: (starting: Promise<void>) => Promise<unknown>]>([
    ['while it connects', async () => (connect = () => new Promise(() => undefined))],
    ['while it begins', async () => (begin = () => new Promise(() => undefined))],
    ['while it is connected', (starting) => starting],
    [
      'while it waits for another attempt',
      async (starting) => {
        await starting;
        connect = unreachable;
        last().terminate();
        await vi.advanceTimersByTimeAsync(10_000);
      },
    ],
  ])('stops %s', async (_, until) => {
    const starting = create().start();
    starting.catch(() => undefined);
    await until(starting);
    await supervised.stop();
    const known = attempts.length;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(attempts).toHaveLength(known);
    expect(sockets.filter(({ isOpen }) => isOpen)).toEqual([]);
    expect(() => supervised.socket).toThrow('not connected');
  });

  it('leaves nothing behind after 500 cuts', async () => {
    await create({ timing: { stable: 0 } }).start();
    for (let cuts = 0; cuts < 500; cuts += 1) {
      last().terminate();
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(sockets).toHaveLength(501);
    expect(sockets.filter(({ isOpen }) => isOpen)).toEqual([last()]);
    // The heartbeat of the open connection.
    expect(vi.getTimerCount()).toBe(1);
  });

  it('tries five connections to a host in a second at most, whatever bots they are for', async () => {
    const all = Array.from({ length: 20 }, () => create({ host: 'one host' }));
    const starting = Promise.all(all.map((one) => one.start()));
    await vi.advanceTimersByTimeAsync(10_000);
    await starting;
    const [first = 0] = attempts;
    for (const [index, at] of attempts.entries()) expect(at - first).toBeGreaterThanOrEqual(index * 200);
    await Promise.all(all.map((one) => one.stop()));
  });
});
