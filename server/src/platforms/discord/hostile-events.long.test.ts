import { parseMessageChain } from '@parley/sdk';
import { fakePlatformContext, silentLogger } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../../../sdk/testing/platforms/mutations.ts';
import { Directory } from './directory.ts';
import { DiscordRefusal } from './failure.ts';
import { Inbox } from './inbox.ts';
import { FakeDiscord } from './testing/fake-discord.ts';
import { defaultTiming } from './timing.ts';

const changes = 10_000;

/** What takes the place of a value. */
const odd: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  2 ** 60,
  '',
  'x',
  '\0\ud800',
  '1'.repeat(30),
  [],
  {},
  [[]],
  [null],
  { id: {} },
];

/** A copy with one to four values replaced or removed. */
function changed(value: object, random: () => number): Record<string, unknown> {
  const copy = structuredClone(value) as Record<string, unknown>;
  for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) {
    let holder = copy;
    for (;;) {
      const names = Object.keys(holder);
      const name = names[Math.floor(random() * names.length)] ?? 'content';
      const inner = holder[name];
      if (typeof inner === 'object' && inner !== null && random() < 0.7) {
        holder = inner as Record<string, unknown>;
        continue;
      }
      if (random() < 0.2) delete holder[name];
      else holder[name] = structuredClone(odd[Math.floor(random() * odd.length)]);
      break;
    }
  }
  // As it travels: JSON has no holes in arrays.
  return JSON.parse(JSON.stringify(copy));
}

const refusing = { call: () => Promise.reject(new DiscordRefusal(404, {})) };

const fake = new FakeDiscord(1000);
const samples = fake.samples().map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as { t: string; d: object });

describe('events with values of other kinds', () => {
  it.each(samples.map(({ t, d }, index) => [index, t, d] as const))('%i: %s', async (index, type, data) => {
    const errors: unknown[] = [];
    const logger = { ...silentLogger, error: (fields: object) => void errors.push(fields) };
    const context = fakePlatformContext({ logger });
    const directory = new Directory(refusing as never);
    directory.userId = fake.accountId;
    const inbox = new Inbox({ context, directory, timing: defaultTiming });
    const random = seeded(index + 1);
    const { signal } = new AbortController();
    for (let count = 0; count < changes; count += 1) {
      await inbox.take({ type, data: changed(data, random), sequence: count + 1 }, signal);
    }
    for (const { message_chain, platform_message_id, sender_name, session_id, media = [] } of context.received) {
      expect(parseMessageChain(message_chain)).toBe(message_chain);
      for (const text of [platform_message_id, sender_name, session_id]) expect(typeof text).toBe('string');
      for (const { id, name } of media) expect([typeof id, typeof name]).toEqual(['string', 'string']);
    }
    for (const notice of context.notices) {
      if (notice.type === 'edited') expect(parseMessageChain(notice.message_chain)).toBe(notice.message_chain);
      if (notice.type === 'bot_added') expect(typeof notice.session_id).toBe('string');
    }
    const taken = context.received.length + context.notices.length;
    if (type.startsWith('MESSAGE')) expect(taken, 'events that could be read').toBeGreaterThan(changes / 10);
    expect(errors.length, 'events that could not be read').toBeLessThan(changes / 4);
  });
});
