import { type MessageEvent, ParleyError, type PlatformAdapter } from '@parley/sdk';
import { type FakePlatformContext, fakePlatformContext } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from './testing/fake-telegram.ts';
import { ada, bob, fileFields, incoming, privateChat } from './testing/fixtures.ts';
import { type AdapterOptions, createAdapter } from './testing/start-adapter.ts';

/** Waits for a condition, also on a slow machine. */
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 10_000 });

let fake: FakeTelegram;
const adapters: PlatformAdapter[] = [];
beforeEach(async () => {
  fake = await startFakeTelegram();
});
afterEach(async () => {
  await Promise.all(adapters.splice(0).map((adapter) => adapter.stop()));
  await fake.close();
});

/** Starts a bot. @returns also the texts of each batch that was stored */
async function start(options: AdapterOptions = {}) {
  const batches: string[][] = [];
  const inner = fakePlatformContext(options.context);
  const receiveAll = (events: readonly MessageEvent[]) => {
    batches.push(events.map(textOf));
    return inner.receiveAll(events);
  };
  const { adapter, context } = await createAdapter(fake, { ...options, context: { ...options.context, receiveAll } });
  adapters.push(adapter);
  await adapter.start();
  return { adapter, context, batches, received: inner.received };
}
const textOf = ({ message_chain }: MessageEvent) => (message_chain[1] as { text?: string }).text ?? '[file]';
const texts = (events: readonly MessageEvent[]) => events.map(textOf);
const say = (text: string, over: object = {}) => incoming({ text, ...over });
const byBob = { from: bob, chat: privateChat(bob) };
const photo = (id: string, over: object = {}) =>
  incoming({ photo: [{ ...fileFields(id, 9), width: 90, height: 90 }], caption: id, ...over });
const states = ({ reports }: FakePlatformContext) => reports.map(({ state }) => state);

describe('the updates of one poll', () => {
  it('are stored together, in the order of each chat', async () => {
    const sent = Array.from({ length: 60 }, (_, index) => `${index}`);
    for (const [index, text] of sent.entries()) fake.deliver(say(text, index % 3 === 0 ? byBob : {}));
    const { batches } = await start();
    await eventually(() => batches.flat()).toHaveLength(60);
    expect(batches).toEqual([expect.arrayContaining(sent)]);
    const ofBob = batches.flat().filter((text) => Number(text) % 3 === 0);
    expect(ofBob).toEqual(sent.filter((text) => Number(text) % 3 === 0));
  });

  it('take as many transactions as polls, however many messages one chat sends', async () => {
    for (let index = 0; index < 1000; index += 1) {
      fake.deliver(say(`flood ${index}`));
      if (index % 5 === 0) fake.deliver(say(`calm ${index}`, byBob));
    }
    const { batches, received } = await start();
    await eventually(() => received.length).toBe(1200);
    expect(batches.length).toBe(12);
    expect(fake.callsOf('getUpdates').length).toBeLessThanOrEqual(13);
    expect(texts(received).filter((text) => text.startsWith('flood'))).toEqual(
      Array.from({ length: 1000 }, (_, index) => `flood ${index}`),
    );
  });

  it('are stored without one that cannot be stored, and later messages in its chat wait', async () => {
    let isBroken = true;
    const known: string[] = [];
    const receive: FakePlatformContext['receive'] = async (event) => {
      if (isBroken && textOf(event) === 'bad') throw new Error('no');
      known.push(textOf(event));
      return { outcome: 'accepted', uuid: 'u', sequence: known.length, created_at: '2026-01-01T00:00:00.000Z' };
    };
    for (const message of [say('a1'), say('bad'), say('a2'), say('b1', byBob)]) fake.deliver(message);
    const { context } = await start({ context: { receive } });
    await eventually(() => known).toEqual(['a1', 'b1']);
    await eventually(() => states(context)).toEqual(['reconnecting']);
    // Others are still stored, and nothing is confirmed before it is.
    fake.deliver(say('b2', byBob));
    await eventually(() => known).toEqual(['a1', 'b1', 'b2']);
    expect(fake.pending).toBe(4);
    expect(states(context)).toEqual(['reconnecting']);
    isBroken = false;
    await eventually(() => known).toEqual(['a1', 'b1', 'b2', 'bad', 'a2']);
    await eventually(() => fake.pending).toBe(0);
    await eventually(() => states(context)).toEqual(['reconnecting', 'connected']);
  });

  it('are stored without one that can never be stored, which is dropped', async () => {
    const known: string[] = [];
    const receive: FakePlatformContext['receive'] = async (event) => {
      if (textOf(event) === 'bad') throw new ParleyError('invalid_request', 'The message cannot be stored');
      known.push(textOf(event));
      return { outcome: 'accepted', uuid: 'u', sequence: known.length, created_at: '2026-01-01T00:00:00.000Z' };
    };
    for (const message of [say('a1'), say('bad'), say('a2'), say('b1', byBob)]) fake.deliver(message);
    const { context } = await start({ context: { receive } });
    await eventually(() => known).toEqual(['a1', 'b1', 'a2']);
    await eventually(() => fake.pending).toBe(0);
    expect(states(context)).toEqual([]);
  });

  it('come once each, also when a poll brings them again', async () => {
    let isBroken = true;
    const inner: string[] = [];
    const receive: FakePlatformContext['receive'] = async (event) => {
      if (isBroken && textOf(event) === 'bad') throw new Error('no');
      inner.push(textOf(event));
      return { outcome: 'accepted', uuid: 'u', sequence: inner.length, created_at: '2026-01-01T00:00:00.000Z' };
    };
    for (const message of [say('bad'), say('b1', byBob)]) fake.deliver(message);
    await start({ context: { receive } });
    await eventually(() => fake.callsOf('getUpdates').length).toBeGreaterThan(2);
    isBroken = false;
    await eventually(() => inner).toEqual(['b1', 'bad']);
    await eventually(() => fake.pending).toBe(0);
  });
});

describe('a message with a file', () => {
  it('is stored before its file is fetched, with all others', async () => {
    fake.addFile('p', Buffer.from('a picture'));
    for (const message of [say('a1'), photo('p'), say('a2'), say('b1', byBob)]) fake.deliver(message);
    const { received, batches } = await start();
    await eventually(() => texts(received)).toEqual(['a1', 'p', 'a2', 'b1']);
    await eventually(() => fake.pending).toBe(0);
    expect(batches).toHaveLength(1);
    expect(fake.callsOf('getFile')).toEqual([]);
  });
});

describe('an edited message', () => {
  it('is handed over after the message of the same poll, also when that fails at first', async () => {
    let isBroken = true;
    const seen: string[] = [];
    const receiveNotice: FakePlatformContext['receiveNotice'] = async (notice) => {
      if (isBroken) throw new Error('no');
      seen.push(notice.type);
    };
    const first = say('Helo');
    fake.deliver(first);
    fake.deliverUpdate({ edited_message: { ...first, text: 'Hello', edit_date: first.date } });
    fake.deliver(say('later', byBob));
    const { received } = await start({ context: { receiveNotice } });
    await eventually(() => texts(received)).toEqual(['Helo', 'later']);
    expect(seen).toEqual([]);
    expect(fake.pending).toBeGreaterThanOrEqual(2);
    isBroken = false;
    await eventually(() => seen).toEqual(['edited']);
    await eventually(() => fake.pending).toBe(0);
    expect(texts(received)).toEqual(['Helo', 'later']);
  });

  it('that can never be handed over is dropped', async () => {
    const receiveNotice: FakePlatformContext['receiveNotice'] = async () => {
      throw new ParleyError('invalid_request', 'The notice is invalid');
    };
    fake.deliverUpdate({ edited_message: { ...say('Hello'), edit_date: 1 } });
    const { context } = await start({ context: { receiveNotice } });
    await eventually(() => fake.pending).toBe(0);
    expect(states(context)).toEqual([]);
  });
});

describe('malformed updates', () => {
  it('do not delay others', async () => {
    fake.deliverUpdate({ update_id: 'x', message: say('without an id') } as never);
    fake.deliverUpdate({ update_id: 2 ** 60, message: say('an id that JSON cannot carry') } as never);
    fake.deliverUpdate({ message: { ...say('no chat'), chat: null } as never });
    fake.deliverUpdate({ message: { ...say('odd chat'), chat: { id: 2 ** 60, type: 'private' } } as never });
    fake.deliverUpdate({ message: { ...say(''), text: { html: 'odd text' } } as never });
    fake.deliver(say('good', byBob));
    const { received } = await start();
    await eventually(() => texts(received)).toEqual(['good']);
    await eventually(() => fake.pending).toBeLessThanOrEqual(2);
  });

  it('keep their chat and their id when these are texts', async () => {
    const { received } = await start();
    fake.deliver(say('as a number'));
    await eventually(() => received).toHaveLength(1);
    const message = say('as a text');
    fake.deliverUpdate({
      update_id: '4000000000',
      message: { ...message, message_id: String(message.message_id), chat: { ...message.chat, id: String(ada.id) } },
    } as never);
    await eventually(() => texts(received)).toEqual(['as a number', 'as a text']);
    const [first, second] = received;
    expect(second?.session_id).toBe(first?.session_id);
    expect(second?.platform_message_id).toBe(`${ada.id}/${message.message_id}`);
    expect(second?.message_chain[0]).toMatchObject({ type: 'Source', id: message.message_id });
  });

  it('are stored without a date that no clock shows', async () => {
    const { received } = await start();
    fake.deliver(say('late', { date: 1e15 }));
    fake.deliver(say('never', { date: 'yesterday' }));
    await eventually(() => received.map(({ sent_at }) => sent_at)).toEqual([undefined, undefined]);
    expect(received[0]?.message_chain[0]).toMatchObject({ timestamp: 0 });
  });
});
