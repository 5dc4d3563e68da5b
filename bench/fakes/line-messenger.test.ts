import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type LineMessenger, startLineMessenger } from './line-messenger.ts';
import { type Lines, openLines, type ToAdapter, type ToPlatform } from './line-protocol.ts';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function start(honoursTokens = true): Promise<LineMessenger> {
  const messenger = await startLineMessenger({ honoursTokens });
  ends.push(() => messenger.close());
  return messenger;
}

/** Connects as a bot does. */
async function bot(messenger: LineMessenger): Promise<{ seen: ToAdapter[]; lines: Lines<ToPlatform> }> {
  const seen: ToAdapter[] = [];
  const socket = connect(Number(messenger.adapterConfig.port), '127.0.0.1');
  const lines = openLines<ToAdapter, ToPlatform>(
    socket,
    (line) => seen.push(line),
    () => undefined,
  );
  ends.unshift(() => lines.destroy());
  lines.write({ type: 'hello' });
  await vi.waitUntil(() => seen.length > 0);
  return { seen, lines };
}

const ask = (messenger: LineMessenger, id: string, conversation = 'ada') =>
  messenger.say({ id, conversation, text: `#${id}`, due: performance.now() });
const idsIn = (seen: ToAdapter[]) => seen.flatMap((line) => (line.type === 'question' ? [line.id] : []));
let lastRequest = 0;
const answer = (id: string, token: string, conversation = 'ada'): ToPlatform => ({
  type: 'send',
  request: ++lastRequest,
  token,
  conversation,
  reply_to: id,
  piece: 0,
  text: `Answer to #${id}`,
});

describe('the platform of benchmarks and crash tests', () => {
  it('delivers unacknowledged messages again, in order', async () => {
    const messenger = await start();
    for (const id of ['one', 'two']) ask(messenger, id);
    const first = await bot(messenger);
    ask(messenger, 'three');
    await vi.waitUntil(() => idsIn(first.seen).length === 3);
    first.lines.write({ type: 'stored', id: 'two' });
    await vi.waitUntil(() => messenger.questions()[1]?.acknowledgedAt !== null);
    first.lines.destroy();
    await messenger.disconnected();
    const second = await bot(messenger);
    await vi.waitUntil(() => idsIn(second.seen).length === 2);
    expect(idsIn(second.seen)).toEqual(['one', 'three']);
    expect(messenger.questions().map(({ place }) => place)).toEqual([1, 2, 3]);
    expect(messenger.deliveries).toBe(5);
  });

  it.each([
    [true, 1, 1],
    [false, 2, 0],
  ])('with tokens honoured (%s) has %i answers after a repeat', async (honoursTokens, arrived, dropped) => {
    const messenger = await start(honoursTokens);
    ask(messenger, 'one');
    const { seen, lines } = await bot(messenger);
    for (const token of ['same', 'same']) lines.write(answer('one', token));
    await vi.waitUntil(() => seen.filter(({ type }) => type === 'taken').length === 2);
    expect(messenger.questions()[0]?.answers).toHaveLength(arrived);
    expect(messenger.repeatsDropped).toBe(dropped);
    expect(messenger.answered()).toBe(1);
  });

  it('notices answers out of order, and answers to nothing', async () => {
    const messenger = await start();
    for (const id of ['one', 'two']) ask(messenger, id);
    ask(messenger, 'other', 'bob');
    const { seen, lines } = await bot(messenger);
    const texts = [answer('other', 'a', 'bob'), answer('two', 'b'), answer('one', 'c')];
    for (const line of [...texts, answer('unknown', 'd'), answer('one', 'e', 'bob')]) lines.write(line);
    await vi.waitUntil(() => seen.filter(({ type }) => type === 'taken').length === 5);
    expect(messenger.reordered).toBe(1);
    expect(messenger.strangers).toHaveLength(2);
  });

  it('counts a question as pending until it or a later one of its conversation is answered', async () => {
    const messenger = await start();
    for (const id of ['one', 'two', 'three']) ask(messenger, id);
    ask(messenger, 'other', 'bob');
    const { seen, lines } = await bot(messenger);
    expect(messenger.pending).toBe(4);
    for (const [index, id] of ['two', 'two', 'one'].entries()) lines.write(answer(id, `${index}`));
    await vi.waitUntil(() => seen.filter(({ type }) => type === 'taken').length === 3);
    expect(messenger.pending).toBe(2);
    lines.write(answer('three', 'last'));
    await vi.waitUntil(() => messenger.pending === 1);
  });
});
