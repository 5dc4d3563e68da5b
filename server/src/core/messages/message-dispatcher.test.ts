import type { Logger } from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { answered } from '../../../test/stores/ledger-steps.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { StorageError } from '../../lib/storage-error.ts';
import { newUuid } from '../../lib/uuid.ts';
import { type Ledger, openLedger } from '../../storage/messages/open-ledger.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ClaimedMessage, Message } from './message.ts';
import { MessageDispatcher, type MessageDispatcherOptions } from './message-dispatcher.ts';
import { MessageEvents } from './message-events.ts';
import { ProcessingLimit } from './processing-limit.ts';

/** What runs now, by its text, each to be ended by the test. */
class Running {
  readonly now = new Map<string, PromiseWithResolvers<void> & { signal: AbortSignal }>();
  readonly started: string[] = [];

  process = (message: Message, signal: AbortSignal): Promise<void> => {
    const run = { ...Promise.withResolvers<void>(), signal };
    this.started.push(message.text);
    this.now.set(message.text, run);
    return run.promise.finally(() => this.now.delete(message.text));
  };

  get texts(): string[] {
    return [...this.now.keys()].sort();
  }

  of(text: string) {
    const run = this.now.get(text);
    if (run === undefined) throw new Error(`${text} does not run`);
    return run;
  }
}

describe('the dispatcher', () => {
  let storage: Storage;
  let ledger: Ledger;
  let running: Running;
  let held: string[];
  let published: string[];
  const events = new MessageEvents({
    publish: ({ data }) => void published.push(`${data.state} ${data.reason}`),
  });
  const dispatchers: MessageDispatcher[] = [];
  beforeEach(async () => {
    storage = await openTestStorage('sqlite');
    ledger = await openLedger(storage);
    running = new Running();
    held = [];
    published = [];
  });
  afterEach(async () => {
    for (const run of running.now.values()) run.resolve();
    for (const dispatcher of dispatchers.splice(0)) await dispatcher.stop(0);
    await storage.close();
  });

  const make = (options: Partial<MessageDispatcherOptions> = {}) => {
    const dispatcher = new MessageDispatcher(
      ledger.messages,
      async (message, signal) => {
        await running.process(message, signal);
        await ledger.messages.settle(message, answered, { answer: null, merged: [], record: null });
      },
      {
        events,
        limit: new ProcessingLimit(20),
        logger: silentLogger,
        claimableBots: () => ({ except: held }),
        retryDelayMs: 5,
        abortTimeoutMs: 200,
        ...options,
      },
    );
    dispatchers.push(dispatcher);
    return dispatcher;
  };
  /** The first letter of a text names its conversation. */
  const accept = (text: string) =>
    ledger.messages.accept(conversationKey({ session_id: text[0] as string }), messageEvent(text));
  const stateOf = async (text: string) => {
    const { state, reason } = await storage.database
      .selectFrom('messages')
      .select(['state', 'reason'])
      .where('text', '=', text)
      .executeTakeFirstOrThrow();
    return reason === null ? state : `${state}: ${reason}`;
  };

  it('processes messages that become due during a look-up', async () => {
    await ledger.messages.accept(conversationKey(), messageEvent('one'));
    const message = await claimOne(ledger.messages, []);
    if (message === null) throw new Error('no message was waiting');
    const until = Date.now() + 100;
    await ledger.messages.release(message, { until: new Date(until).toISOString(), reason: 'aggregating' });
    const claim = ledger.messages.claim.bind(ledger.messages);
    ledger.messages.claim = async (bots, limit) => {
      const found = await claim(bots, limit);
      // A database that has much to do.
      while (found.length === 0 && Date.now() <= until) await new Promise((resolve) => setTimeout(resolve, 10));
      return found;
    };
    make().start();
    await expect.poll(() => running.started, { timeout: 5000 }).toEqual(['one']);
  });

  it('runs conversations in parallel and each in order', async () => {
    for (const text of ['a1', 'a2', 'b1', 'b2', 'c1']) await accept(text);
    make().start();
    await expect.poll(() => running.texts).toEqual(['a1', 'b1', 'c1']);
    running.of('b1').resolve();
    await expect.poll(() => running.texts).toEqual(['a1', 'b2', 'c1']);
    running.of('a1').resolve();
    await expect.poll(() => running.texts).toEqual(['a2', 'b2', 'c1']);
    expect(running.started).toEqual(['a1', 'b1', 'c1', 'b2', 'a2']);
  });

  it('tells when no message of a bot is processed any more, also of those that it is about to claim', async () => {
    for (const text of ['a', 'b']) await accept(text);
    const claim = ledger.messages.claim.bind(ledger.messages);
    const claimed = Promise.withResolvers<void>();
    ledger.messages.claim = async (bots, limit) => {
      const found = await claim(bots, limit);
      await claimed.promise;
      return found;
    };
    const dispatcher = make();
    dispatcher.start();
    // The look begins in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    let isIdle = false;
    const idle = dispatcher.idle(conversationKey().bot_uuid).then(() => {
      isIdle = true;
    });
    expect(isIdle).toBe(false);
    claimed.resolve();
    await expect.poll(() => running.texts).toEqual(['a', 'b']);
    running.of('a').resolve();
    await expect.poll(() => running.texts).toEqual(['b']);
    expect(isIdle).toBe(false);
    await dispatcher.idle(newUuid());
    running.of('b').resolve();
    await idle;
  });

  it('dispatches nothing before it is started, even when woken', async () => {
    await accept('a');
    const claims: unknown[] = [];
    const claim = ledger.messages.claim.bind(ledger.messages);
    ledger.messages.claim = (bots, limit) => {
      claims.push(bots);
      return claim(bots, limit);
    };
    const dispatcher = make();
    dispatcher.wake();
    await dispatcher.recover();
    dispatcher.wake();
    expect(claims).toEqual([]);
    dispatcher.start();
    await expect.poll(() => running.texts).toEqual(['a']);
  });

  it('enforces the concurrency limit', async () => {
    const dispatcher = make({ limit: new ProcessingLimit(2) });
    dispatcher.start();
    for (const text of ['a', 'b', 'c', 'd']) {
      await accept(text);
      dispatcher.wake();
    }
    for (const expected of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
    ]) {
      await expect.poll(() => running.texts).toEqual(expected);
      running.of(expected[0] as string).resolve();
    }
    expect(running.started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('runs more again when storing is quick again, although nothing ends or arrives', async () => {
    const limit = new ProcessingLimit(20);
    await limit.storing(async () => undefined);
    while (limit.value > 8) await limit.storing(() => new Promise((resolve) => setTimeout(resolve, 60)));
    for (const text of 'abcdefghijkl') await accept(text);
    make({ limit }).start();
    await expect.poll(() => running.texts).toHaveLength(12);
  });

  it('takes as many messages at once as it has room for', async () => {
    const claims: number[] = [];
    const claim = ledger.messages.claim.bind(ledger.messages);
    ledger.messages.claim = (bots, limit) => {
      claims.push(limit);
      return claim(bots, limit);
    };
    for (const text of 'abcdef') await accept(text);
    make({ limit: new ProcessingLimit(4) }).start();
    await expect.poll(() => running.texts).toEqual(['a', 'b', 'c', 'd']);
    expect(claims).toEqual([4]);
    for (const text of 'abc') running.of(text).resolve();
    await expect.poll(() => running.texts).toEqual(['d', 'e', 'f']);
  });

  it('asks for the next message together with the settlement of one', async () => {
    const asked: string[] = [];
    const settle = ledger.messages.settle.bind(ledger.messages);
    const claim = ledger.messages.claim.bind(ledger.messages);
    for (const text of ['a1', 'a2']) await accept(text);
    const dispatcher = make({ limit: new ProcessingLimit(1) });
    ledger.messages.settle = async (message, ...rest) => {
      dispatcher.settling(message);
      asked.push('settle');
      const outcome = await settle(message, ...rest);
      asked.push('settled');
      return outcome;
    };
    ledger.messages.claim = (bots, limit) => {
      asked.push(`claim ${limit}`);
      return claim(bots, limit);
    };
    dispatcher.start();
    await expect.poll(() => running.texts).toEqual(['a1']);
    running.of('a1').resolve();
    await expect.poll(() => running.texts).toEqual(['a2']);
    expect(asked).toEqual(['claim 1', 'settle', 'claim 1', 'settled']);
  });

  it('processes messages that arrived during a look-up', async () => {
    const dispatcher = make();
    dispatcher.start();
    await Promise.all(
      Array.from('abcdefghij', async (text) => {
        await accept(text);
        dispatcher.wake();
      }),
    );
    await expect.poll(() => running.texts).toHaveLength(10);
  });

  it('leaves messages of held bots in the queue until it is woken after the hold', async () => {
    const elsewhere = conversationKey({ bot_uuid: newUuid(), session_id: 'b' });
    held = [conversationKey().bot_uuid];
    for (const text of ['a1', 'a2']) await accept(text);
    await ledger.messages.accept(elsewhere, messageEvent('b1'));
    const dispatcher = make();
    dispatcher.start();
    await expect.poll(() => running.texts).toEqual(['b1']);
    expect(await stateOf('a1')).toBe('received');
    held = [];
    published = [];
    dispatcher.wake();
    await expect.poll(() => running.texts).toEqual(['a1', 'b1']);
    expect(running.started).toEqual(['b1', 'a1']);
  });

  it('processes scheduled messages when they are due', async () => {
    const dispatcher = make();
    await accept('a1');
    const message = (await claimOne(ledger.messages, [])) as ClaimedMessage;
    await ledger.messages.release(message, {
      until: new Date(Date.now() + 80).toISOString(),
      reason: 'aggregating',
    });
    dispatcher.start();
    await expect.poll(() => running.texts).toEqual(['a1']);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(message?.created_at as string) + 80);
  });

  it('resumes messages of an earlier run at start', async () => {
    await accept('a');
    await claimOne(ledger.messages, []);
    const warnings: object[] = [];
    const dispatcher = make({ logger: { ...silentLogger, warn: (fields) => warnings.push(fields) } });
    await storage.database.updateTable('replicas').set({ state: 'ended' }).execute();
    await dispatcher.recover();
    dispatcher.start();
    await expect.poll(() => running.texts).toEqual(['a']);
    expect(warnings).toEqual([{ messages: 1, deliveries: 0 }]);
  });

  it('continues when processing fails, and records the failure on the message', async () => {
    for (const text of ['a1', 'a2', 'b1']) await accept(text);
    make().start();
    await expect.poll(() => running.texts).toEqual(['a1', 'b1']);
    running.of('a1').reject(new Error('unexpected'));
    await expect.poll(() => running.texts).toEqual(['a2', 'b1']);
    expect(await stateOf('a1')).toBe('failed: internal');
  });

  it('waits for running messages when it stops, and starts no new ones', async () => {
    for (const text of ['a1', 'a2']) await accept(text);
    const dispatcher = make();
    dispatcher.start();
    await expect.poll(() => running.texts).toEqual(['a1']);
    const { signal, resolve } = running.of('a1');
    const stopped = dispatcher.stop(60_000);
    await accept('b1');
    dispatcher.wake();
    expect(signal.aborted).toBe(false);
    resolve();
    await stopped;
    expect(running.started).toEqual(['a1']);
    expect(await Promise.all(['a1', 'a2', 'b1'].map(stateOf))).toEqual(['answered: answered', 'received', 'received']);
  });

  it('aborts what does not end in time, which then waits for the next start', async () => {
    for (const text of ['a1', 'b1']) await accept(text);
    const dispatcher = make();
    dispatcher.start();
    await expect.poll(() => running.texts).toEqual(['a1', 'b1']);
    for (const run of running.now.values()) run.signal.addEventListener('abort', () => run.reject(run.signal.reason));
    await dispatcher.stop(10);
    expect(await Promise.all(['a1', 'b1'].map(stateOf))).toEqual(['received', 'received']);
  });

  it('ends although something does not care that it was aborted', async () => {
    await accept('a');
    const errors: string[] = [];
    const logger: Logger = { ...silentLogger, error: (_, message) => errors.push(message) };
    const dispatcher = make({ logger, abortTimeoutMs: 10 });
    dispatcher.start();
    await expect.poll(() => running.texts).toEqual(['a']);
    await dispatcher.stop(10);
    expect(errors).toEqual(['messages did not stop in time']);
    expect(await stateOf('a')).toBe('processing');
  });

  it('stops immediately when idle, and may be stopped twice', async () => {
    const dispatcher = make();
    dispatcher.start();
    const began = performance.now();
    await Promise.all([dispatcher.stop(60_000), dispatcher.stop(60_000)]);
    expect(performance.now() - began).toBeLessThan(10_000);
    await accept('a');
    dispatcher.wake();
    await dispatcher.stop(0);
    expect(running.started).toEqual([]);
    expect(await stateOf('a')).toBe('received');
  });

  it('looks again when the store failed', async () => {
    let failures = 3;
    const claim = ledger.messages.claim.bind(ledger.messages);
    ledger.messages.claim = (bots, limit) =>
      failures-- > 0 ? Promise.reject(new Error('connection lost')) : claim(bots, limit);
    await accept('a');
    make().start();
    await expect.poll(() => running.texts).toEqual(['a']);
    expect(failures).toBeLessThan(0);
  });

  it('does not let a conversation wait for ever because an outcome could not be stored', async () => {
    let failures = 3;
    const settle = ledger.messages.settle.bind(ledger.messages);
    ledger.messages.settle = (...args) =>
      failures-- > 0 ? Promise.reject(new Error('connection lost')) : settle(...args);
    for (const text of ['a1', 'a2']) await accept(text);
    make().start();
    await expect.poll(() => running.texts).toEqual(['a1']);
    running.of('a1').resolve();
    await expect.poll(() => running.texts).toEqual(['a2']);
    expect(await stateOf('a1')).toBe('failed: internal');
  });

  describe('while the store cannot be used', () => {
    const away = () => new StorageError('unreachable', 'connection lost');
    const attemptsOf = async (text: string) =>
      (
        await storage.database
          .selectFrom('messages')
          .select('attempts')
          .where('text', '=', text)
          .executeTakeFirstOrThrow()
      ).attempts;

    it('a message waits, uncounted, however often that happens', async () => {
      await accept('a');
      make().start();
      for (let round = 1; round <= 5; round += 1) {
        await expect.poll(() => running.started.length).toBe(round);
        running.of('a').reject(new Error('could not be answered', { cause: away() }));
      }
      await expect.poll(() => running.started.length).toBe(6);
      expect(await attemptsOf('a')).toBe(1);
      running.of('a').resolve();
      await expect.poll(() => stateOf('a')).toBe('answered: answered');
    });

    it('a message whose content the store refuses fails after three attempts', async () => {
      await accept('a');
      make().start();
      for (let round = 1; round <= 3; round += 1) {
        await expect.poll(() => running.started.length).toBe(round);
        running.of('a').reject(new StorageError('constraint', 'CHECK constraint failed'));
      }
      await expect.poll(() => stateOf('a')).toBe('failed: internal');
      expect(await attemptsOf('a')).toBe(3);
      const attempt = ['processing null', 'received null'];
      expect(published).toEqual([...attempt, ...attempt, 'processing null', 'failed internal']);
    });

    it('claims back off, and resume immediately when the store is back', async () => {
      const claim = ledger.messages.claim.bind(ledger.messages);
      const times: number[] = [];
      ledger.messages.claim = () => {
        times.push(performance.now());
        return Promise.reject(away());
      };
      await accept('a');
      const dispatcher = make({ retryDelayMs: 20 });
      dispatcher.start();
      await expect.poll(() => times.length).toBe(4);
      // Waking it meanwhile does not shorten the wait.
      dispatcher.wake();
      const pauses = times.slice(1).map((time, index) => time - (times[index] as number));
      for (const [index, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(20 * 2 ** index - 1);
      ledger.messages.claim = claim;
      dispatcher.resume();
      await expect.poll(() => running.texts).toEqual(['a']);
    });

    it('a claim that was stored although it failed is put back', async () => {
      const claim = ledger.messages.claim.bind(ledger.messages);
      let failures = 1;
      ledger.messages.claim = async (bots, limit) => {
        const messages = await claim(bots, limit);
        if (failures-- > 0) throw away();
        return messages;
      };
      await accept('a');
      make().start();
      await expect.poll(() => running.texts).toEqual(['a']);
      expect(await attemptsOf('a')).toBe(1);
    });

    it('nothing is claimed before late outcomes are stored', async () => {
      const release = ledger.messages.release.bind(ledger.messages);
      let isAway = true;
      ledger.messages.release = (...parameters) => (isAway ? Promise.reject(away()) : release(...parameters));
      await accept('a');
      make().start();
      await expect.poll(() => running.texts).toEqual(['a']);
      running.of('a').reject(away());
      await expect.poll(() => running.texts).toEqual([]);
      await accept('b');
      dispatchers[0]?.resume();
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(running.started).toEqual(['a']);
      isAway = false;
      await expect.poll(() => running.texts).toEqual(['a', 'b']);
    });
  });

  it('claims nothing while another process may own the messages', async () => {
    let isHeld = false;
    await accept('a');
    const dispatcher = make({ mayClaim: () => isHeld });
    dispatcher.start();
    dispatcher.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(running.started).toEqual([]);
    isHeld = true;
    dispatcher.resume();
    await expect.poll(() => running.texts).toEqual(['a']);
  });
});
