import { expect } from 'vitest';
import type { MessageEvent } from '../../../src/message-event.ts';
import { textOfChain } from '../../../src/message-text.ts';
import type { Delivered } from '../fake-platform.ts';
import { casesOf } from '../platform-case.ts';
import type { Stage } from '../stage.ts';

const plainTextOf = ({ message_chain }: MessageEvent) =>
  textOfChain(message_chain.filter(({ type }) => type === 'Plain')).trim();

/** All events that were received so far are one message. */
function expectOne(stage: Stage, events: number): void {
  expect(stage.context.received.length, 'events received').toBeGreaterThanOrEqual(events);
  expect(stage.messages).toHaveLength(1);
}

async function redelivered(stage: Stage, how: { asOtherKind?: boolean; withoutMarks?: boolean; overOther?: boolean }) {
  await stage.start();
  const { id } = await stage.fake.deliver({ text: 'Hello', chat: stage.fake.group(), mention: 'account' });
  await stage.until(() => stage.context.received.length > 0, 'the message is received');
  const again = await stage.fake.redeliver(id, how);
  expect(again.outcome).not.toBe('refused');
  await stage.ask({ text: 'Another' });
  expect(stage.messages.map(plainTextOf)).toEqual(['Hello', 'Another']);
}

/** A store that works when it is told to. */
function slowStore(stage: Stage) {
  const asked = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  stage.store = () => {
    asked.resolve();
    return stored.promise;
  };
  return { asked: asked.promise, works: stored.resolve };
}

export const onceOnlyCases = casesOf('once only', [
  { name: 'redelivered', run: (stage) => redelivered(stage, {}) },
  { name: 'redelivered without marks of a retry', run: (stage) => redelivered(stage, { withoutMarks: true }) },
  { name: 'two kinds of event for one message', run: (stage) => redelivered(stage, { asOtherKind: true }) },
  {
    name: 'other kind of event comes first',
    run: async (stage) => {
      await stage.start();
      let attempts = 0;
      stage.store = async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('The disk is full');
      };
      const { id } = await stage.fake.deliver({ text: 'Hello', chat: stage.fake.group(), mention: 'account' });
      await stage.fake.redeliver(id, { asOtherKind: true });
      await stage.fake.redeliver(id);
      await stage.ask({ text: 'Another' });
      expect(stage.messages.map(plainTextOf)).toEqual(['Hello', 'Another']);
    },
  },
  { name: 'redelivered over another connection', run: (stage) => redelivered(stage, { overOther: true }) },
  {
    name: 'redelivered after a restart',
    run: async (stage) => {
      await stage.start();
      const { id } = await stage.fake.deliver({ text: 'Hello' });
      await stage.until(() => stage.context.received.length > 0, 'the message is received');
      await stage.restart();
      await stage.fake.redeliver(id);
      await stage.ask({ text: 'Another' });
      expect(stage.messages).toHaveLength(2);
    },
  },
  {
    name: 'redelivered out of order',
    run: async (stage) => {
      await stage.start();
      const first = await stage.fake.deliver({ text: 'First' });
      const second = await stage.fake.deliver({ text: 'Second' });
      await stage.until(() => stage.messages.length === 2, 'both are received');
      await stage.fake.redeliver(second.id);
      await stage.fake.redeliver(first.id);
      await stage.ask({ text: 'Third' });
      expect(stage.messages).toHaveLength(3);
    },
  },
  {
    name: 'stored before acknowledged',
    run: async (stage) => {
      await stage.start();
      const { asked, works } = slowStore(stage);
      let delivered: Delivered | null = null;
      const delivering = stage.fake.deliver({ text: 'Hello' }).then((result) => {
        delivered = result;
      });
      await asked;
      await stage.pass(20);
      expect(delivered, 'the acknowledgement before it was stored').toBeNull();
      works();
      await delivering;
      await stage.until(() => stage.context.received.length > 0, 'the message is received');
      expectOne(stage, 1);
    },
  },
  {
    name: 'not stored, so it comes again',
    run: async (stage) => {
      await stage.start();
      let attempts = 0;
      stage.store = async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('The disk is full');
      };
      const delivered = await stage.fake.deliver({ text: 'Hello' });
      // Some platforms repeat it by themselves before they tell how it ended.
      if (stage.context.received.length === 0) {
        expect(delivered.outcome).not.toBe('acknowledged');
        await stage.fake.redeliver(delivered.id);
      }
      await stage.until(() => stage.context.received.length > 0, 'the message is received');
      expectOne(stage, 1);
    },
  },
  {
    name: 'crash after it was stored and before it was acknowledged',
    run: async (stage) => {
      await stage.start();
      const stored = Promise.withResolvers<void>();
      stage.stored = () => {
        stored.resolve();
        return new Promise(() => undefined);
      };
      const delivering = stage.fake.deliver({ text: 'Hello' }).catch(() => undefined);
      await stored.promise;
      stage.stored = async () => undefined;
      await stage.crash();
      const delivered = await delivering;
      if (delivered !== undefined && stage.context.received.length === 1) await stage.fake.redeliver(delivered.id);
      await stage.until(() => stage.context.received.length > 1, 'the message comes again');
      expectOne(stage, 2);
    },
  },
  {
    name: 'slow store is acknowledged in time or comes again',
    run: async (stage) => {
      await stage.start();
      const { asked, works } = slowStore(stage);
      const delivering = stage.fake.deliver({ text: 'Hello' });
      await asked;
      setTimeout(works, 50).unref();
      const { id, outcome, milliseconds } = await delivering;
      expect(milliseconds).toBeGreaterThanOrEqual(0);
      if (outcome === 'refused') await stage.fake.redeliver(id);
      await stage.until(() => stage.context.received.length > 0, 'the message is received');
      await stage.ask({ text: 'Another' });
      expect(stage.messages).toHaveLength(2);
    },
  },
  {
    name: 'slow content does not delay the acknowledgement',
    run: async (stage) => {
      await stage.start();
      stage.fake.fail('media', 'silence', 3);
      const media = [{ kind: 'image' as const, name: 'cat.png', content: new Uint8Array([1, 2, 3]) }];
      const { outcome } = await stage.fake.deliver({ media });
      expect(outcome).not.toBe('refused');
      await stage.until(() => stage.context.received.length > 0, 'the message is received');
      expectOne(stage, 1);
    },
  },
]);
