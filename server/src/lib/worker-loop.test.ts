import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorkerLoop, type WorkerLoopOptions } from './worker-loop.ts';

const loops: WorkerLoop[] = [];
const failed = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  failed.mockClear();
});
afterEach(() => {
  // Some jobs never end.
  for (const loop of loops.splice(0)) void loop.stop();
  vi.useRealTimers();
});

type Look = WorkerLoopOptions['look'];
type Options = Partial<Omit<WorkerLoopOptions, 'look' | 'failed'>>;

function loopOf(look: Look, options: Options = {}): WorkerLoop {
  const loop = new WorkerLoop({ look, failed, retryDelayMs: 1000, ...options });
  loops.push(loop);
  return loop;
}

const elapse = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** Looks that the test ends, and how many there have been. */
function openLooks() {
  const looks: PromiseWithResolvers<number | null>[] = [];
  const look: Look = () => {
    const one = Promise.withResolvers<number | null>();
    looks.push(one);
    return one.promise;
  };
  return { looks, look };
}

/** Takes numbers from a list as jobs, which the test ends, as long as there is room. */
function openJobs(waiting: number[], options: Options) {
  const running = new Map<number, PromiseWithResolvers<void> & { signal: AbortSignal; leave: () => void }>();
  const started: number[] = [];
  const loop = loopOf(async (own) => {
    while (own.hasRoom && waiting.length > 0) {
      const number = waiting.shift() as number;
      started.push(number);
      void own.run((signal, leave) => {
        const job = { ...Promise.withResolvers<void>(), signal, leave };
        running.set(number, job);
        return job.promise.finally(() => running.delete(number));
      });
    }
    return null;
  }, options);
  const job = (number: number) => {
    const found = running.get(number);
    if (found === undefined) throw new Error(`${number} does not run`);
    return found;
  };
  return { loop, started, job, running: () => [...running.keys()] };
}

describe('looks of a worker loop', () => {
  it('begin with its start, and follow a wake-up', async () => {
    const look = vi.fn<Look>(async () => null);
    const loop = loopOf(look);
    loop.wake();
    expect(look).not.toHaveBeenCalled();
    loop.start();
    await elapse(1_000_000);
    expect(look).toHaveBeenCalledTimes(1);
    loop.wake();
    await elapse(0);
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('follow when the next work is due', async () => {
    const look = vi.fn<Look>(async () => null).mockResolvedValueOnce(500);
    loopOf(look).start();
    await elapse(499);
    expect(look).toHaveBeenCalledTimes(1);
    await elapse(1);
    expect(look).toHaveBeenCalledTimes(2);
    await elapse(1_000_000);
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('follow at once when work is overdue', async () => {
    const look = vi.fn<Look>(async () => null).mockResolvedValueOnce(-5000);
    loopOf(look).start();
    await elapse(1);
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('follow a wake-up before work is due, and do not forget the latter', async () => {
    const look = vi.fn<Look>(async () => null).mockResolvedValueOnce(500);
    const loop = loopOf(look);
    loop.start();
    await elapse(100);
    look.mockResolvedValueOnce(400);
    loop.wake();
    await elapse(0);
    expect(look).toHaveBeenCalledTimes(2);
    await elapse(400);
    expect(look).toHaveBeenCalledTimes(3);
  });

  it.each([
    [{}, 60_000],
    [{ longestPauseMs: 900_000 }, 900_000],
  ])('come at the latest after the longest pause while work is due later, with %j', async (options, pause) => {
    const look = vi.fn<Look>(async () => 1_000_000);
    loopOf(look, options).start();
    await elapse(pause - 1);
    expect(look).toHaveBeenCalledTimes(1);
    await elapse(1);
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('never overlap, and are repeated once after any number of wake-ups during one', async () => {
    const { looks, look } = openLooks();
    const loop = loopOf(look);
    loop.start();
    await elapse(0);
    loop.wake();
    loop.wake();
    await elapse(0);
    expect(looks).toHaveLength(1);
    looks[0]?.resolve(null);
    await elapse(0);
    expect(looks).toHaveLength(2);
    looks[1]?.resolve(null);
    await elapse(0);
    expect(looks).toHaveLength(2);
  });

  it('do not overlap when a look wakes its own loop', async () => {
    let running = 0;
    const most: number[] = [];
    let left = 3;
    const loop = loopOf(async (own) => {
      running += 1;
      left -= 1;
      if (left > 0) own.wake();
      most.push(running);
      await Promise.resolve();
      running -= 1;
      return null;
    });
    loop.start();
    await elapse(0);
    expect(most).toEqual([1, 1, 1]);
  });

  it('miss no wake-up, whenever it comes', async () => {
    const work = new Set<number>();
    const done: number[] = [];
    const loop = loopOf(async () => {
      for (const number of [...work]) {
        work.delete(number);
        done.push(number);
        await Promise.resolve();
      }
      return null;
    });
    loop.start();
    for (let number = 0; number < 50; number += 1) {
      // After a different number of turns each time, so that it meets each step of a look.
      for (let turn = 0; turn < number % 12; turn += 1) await Promise.resolve();
      work.add(number);
      loop.wake();
    }
    await elapse(0);
    expect(done).toHaveLength(50);
  });
});

describe('jobs of a worker loop', () => {
  it('run at the same time up to a limit, and the loop looks again when one ends', async () => {
    const { loop, job, running, started } = openJobs([1, 2, 3, 4], { concurrency: 2 });
    loop.start();
    await elapse(0);
    expect([running(), loop.hasRoom]).toEqual([[1, 2], false]);
    loop.wake();
    await elapse(0);
    expect(running()).toEqual([1, 2]);
    job(2).resolve();
    await elapse(0);
    expect(running()).toEqual([1, 3]);
    job(1).resolve();
    job(3).resolve();
    await elapse(0);
    job(4).resolve();
    await elapse(0);
    expect([started, running(), loop.hasRoom]).toEqual([[1, 2, 3, 4], [], true]);
  });

  it('make room for others once when they leave before they end', async () => {
    const { loop, job, running } = openJobs([1, 2, 3], {});
    loop.start();
    await elapse(0);
    job(1).leave();
    job(1).leave();
    await elapse(0);
    expect(running()).toEqual([1, 2]);
    job(1).resolve();
    await elapse(0);
    expect(running()).toEqual([2]);
  });

  it('are one at a time without a limit', async () => {
    const { loop, running } = openJobs([1, 2], {});
    loop.start();
    await elapse(0);
    expect(running()).toEqual([1]);
  });

  it('that end during a look make the loop look again', async () => {
    const { looks, look } = openLooks();
    const job = Promise.withResolvers<void>();
    const loop = loopOf(look, { concurrency: 2 });
    loop.start();
    await elapse(0);
    const ended = loop.run(() => job.promise);
    job.resolve();
    await ended;
    looks[0]?.resolve(null);
    await elapse(0);
    expect(looks).toHaveLength(2);
  });

  it('that throw are reported, and keep their place for the retry delay', async () => {
    const { loop, job, running, started } = openJobs([1, 2, 3], { concurrency: 2 });
    const error = new Error('unexpected');
    loop.start();
    await elapse(0);
    job(1).reject(error);
    await elapse(999);
    expect(failed.mock.calls).toEqual([[error]]);
    expect([running(), loop.hasRoom]).toEqual([[2], false]);
    await elapse(1);
    expect(running()).toEqual([2, 3]);
    expect(started).toEqual([1, 2, 3]);
  });

  it('may throw at once', async () => {
    const loop = loopOf(async () => null);
    const error = new Error('at once');
    const ended = loop.run(() => {
      throw error;
    });
    await elapse(1000);
    await ended;
    expect(failed.mock.calls).toEqual([[error]]);
  });
});

describe('a worker loop whose store fails', () => {
  const away = new Error('no connection');

  it('reports each failed look, and looks again after a delay', async () => {
    const look = vi.fn<Look>(async () => null).mockRejectedValueOnce(away);
    loopOf(look).start();
    await elapse(999);
    expect(failed.mock.calls).toEqual([[away]]);
    expect(look).toHaveBeenCalledTimes(1);
    await elapse(1);
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('waits longer each time up to a limit, and from the start again after a success', async () => {
    const times: number[] = [];
    let isAway = true;
    const loop = loopOf(
      async () => {
        times.push(performance.now());
        if (isAway) throw away;
        return null;
      },
      { retryDelayMs: 100, longestRetryDelayMs: 500 },
    );
    const start = performance.now();
    loop.start();
    await elapse(1800);
    expect(times.map((time) => time - start)).toEqual([0, 100, 300, 700, 1200, 1700]);
    isAway = false;
    await elapse(500);
    isAway = true;
    times.splice(0);
    loop.wake();
    await elapse(100);
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 100]);
  });

  it('does not look earlier when it is woken, and at once when the store is back', async () => {
    const look = vi.fn<Look>(async () => null).mockRejectedValueOnce(away);
    const loop = loopOf(look);
    loop.start();
    await elapse(10);
    loop.wake();
    await elapse(980);
    expect(look).toHaveBeenCalledTimes(1);
    loop.resume();
    await elapse(0);
    expect(look).toHaveBeenCalledTimes(2);
    await elapse(100_000);
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('looks no earlier when jobs report the outage, however many they are', async () => {
    const look = vi.fn<Look>(async () => null);
    const loop = loopOf(look, { retryDelayMs: 100, longestRetryDelayMs: 5000, concurrency: 20 });
    loop.start();
    await elapse(0);
    for (let job = 0; job < 20; job += 1) void loop.run(async () => loop.backOff());
    await elapse(99);
    expect(look).toHaveBeenCalledTimes(1);
    await elapse(1);
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('has no room for jobs of the present look when another one reports the outage', async () => {
    const started: number[] = [];
    const loop = loopOf(
      async (own) => {
        for (let number = 1; own.hasRoom && number <= 3; number += 1) {
          started.push(number);
          void own.run(async () => own.backOff());
          await Promise.resolve();
        }
        return null;
      },
      { concurrency: 3 },
    );
    loop.start();
    await elapse(999);
    expect(started).toEqual([1]);
    await elapse(1);
    expect(started).toEqual([1, 1]);
  });

  it('goes on after an outage longer than any delay', async () => {
    let isAway = true;
    const looks = vi.fn(async () => {
      if (isAway) throw away;
      return null;
    });
    loopOf(looks, { retryDelayMs: 250, longestRetryDelayMs: 5000 }).start();
    await elapse(3_600_000);
    expect(failed.mock.calls.length).toBeGreaterThan(700);
    isAway = false;
    looks.mockClear();
    await elapse(5000);
    expect(looks).toHaveBeenCalledTimes(1);
  });
});

describe('a worker loop that is stopped', () => {
  it('waits for the present look, and never looks again', async () => {
    const { looks, look } = openLooks();
    const loop = loopOf(look);
    loop.start();
    await elapse(0);
    loop.wake();
    const over = vi.fn();
    const stopped = loop.stop().then(over);
    await elapse(10);
    expect([over.mock.calls.length, loop.isStopped]).toEqual([0, true]);
    looks[0]?.resolve(5);
    await stopped;
    expect(over).toHaveBeenCalledWith(true);
    expect(vi.getTimerCount()).toBe(0);
    loop.wake();
    loop.resume();
    await elapse(100_000);
    expect(looks).toHaveLength(1);
  });

  it('does not begin', async () => {
    const look = vi.fn<Look>(async () => null);
    const loop = loopOf(look);
    expect(await loop.stop()).toBe(true);
    loop.start();
    await elapse(100_000);
    expect(look).not.toHaveBeenCalled();
  });

  it('does not look when it is stopped together with a wake-up', async () => {
    const look = vi.fn<Look>(async () => null);
    const loop = loopOf(look);
    loop.start();
    expect(await loop.stop()).toBe(true);
    expect(look).not.toHaveBeenCalled();
  });

  it('does not look when work becomes due, nor after a delay', async () => {
    const look = vi.fn<Look>(async () => 100);
    const loop = loopOf(look);
    loop.start();
    await elapse(0);
    await loop.stop();
    const failing = vi.fn<Look>(() => Promise.reject(new Error('no connection')));
    const other = loopOf(failing);
    other.start();
    await elapse(0);
    await other.stop();
    expect(vi.getTimerCount()).toBe(0);
    await elapse(100_000);
    expect([look.mock.calls.length, failing.mock.calls.length]).toEqual([1, 1]);
  });

  it('waits for the jobs that the present look starts, and has no room for more', async () => {
    const begun = Promise.withResolvers<void>();
    const job = Promise.withResolvers<void>();
    const loop = loopOf(
      async (own) => {
        await begun.promise;
        void own.run(() => job.promise);
        return null;
      },
      { concurrency: 5 },
    );
    loop.start();
    await elapse(0);
    const over = vi.fn();
    const stopped = loop.stop().then(over);
    begun.resolve();
    await elapse(1000);
    expect([over.mock.calls.length, loop.hasRoom]).toEqual([0, false]);
    job.resolve();
    await stopped;
    expect(over).toHaveBeenCalledWith(true);
  });

  it('lets jobs end within the time of grace', async () => {
    const { loop, job, started } = openJobs([1, 2], {});
    loop.start();
    await elapse(0);
    const { signal, resolve } = job(1);
    const stopped = loop.stop(5000);
    await elapse(4000);
    expect(signal.aborted).toBe(false);
    resolve();
    expect([await stopped, signal.aborted, started]).toEqual([true, false, [1]]);
  });

  it('aborts jobs after the time of grace, and waits for them', async () => {
    const { loop, job } = openJobs([1], {});
    loop.start();
    await elapse(0);
    const { signal, resolve } = job(1);
    signal.addEventListener('abort', () => void setTimeout(resolve, 300));
    const over = vi.fn();
    const stopped = loop.stop(5000).then(over);
    await elapse(5000);
    expect([signal.aborted, over.mock.calls.length]).toEqual([true, 0]);
    await elapse(300);
    await stopped;
    expect(over).toHaveBeenCalledWith(true);
  });

  it('says so when aborted jobs do not end', async () => {
    const { loop, running } = openJobs([1, 2], { concurrency: 2 });
    loop.start();
    await elapse(0);
    const stopped = loop.stop(0, 200);
    await elapse(201);
    expect([await stopped, running()]).toEqual([false, [1, 2]]);
  });

  it('is not woken by what ends later', async () => {
    const look = vi.fn<Look>(async () => null);
    const loop = loopOf(look, { concurrency: 2 });
    const job = Promise.withResolvers<void>();
    loop.start();
    await elapse(0);
    void loop.run(() => job.promise);
    await loop.run(async () => loop.backOff());
    const stopped = loop.stop();
    job.resolve();
    await stopped;
    expect(vi.getTimerCount()).toBe(0);
    await elapse(100_000);
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('does not wait for the retry delay of a job that failed', async () => {
    const { loop, job, started } = openJobs([1, 2], {});
    loop.start();
    await elapse(0);
    job(1).reject(new Error('unexpected'));
    await elapse(1);
    expect([await loop.stop(), started]).toEqual([true, [1]]);
  });
});
