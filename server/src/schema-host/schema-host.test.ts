import { afterEach, describe, expect, it } from 'vitest';
import { looksClosely } from '../../test/shared/looks-closely.ts';
import { SchemaHost, type SchemaHostOptions } from './schema-host.ts';

const hosts: SchemaHost[] = [];
function open(options: SchemaHostOptions = {}): SchemaHost {
  const host = new SchemaHost(options);
  hosts.push(host);
  return host;
}
afterEach(async () => {
  await Promise.all(hosts.map((host) => host.close()));
  expect(hosts.map(({ threads }) => threads).filter((threads) => threads > 0)).toEqual([]);
  hosts.length = 0;
});

const text = { properties: { id: { type: 'string' } } };
/** Only JavaScript's engine supports the prefix, and it backtracks without end. */
const endless = { properties: { id: { pattern: '^(?=a)([a-z]+)*!$' } } };
const victim = JSON.stringify({ id: 'a'.repeat(60) });
const tooLong = { reason: 'tool_failed', message: expect.stringContaining('took longer than') };

describe('a check of parameters', () => {
  it('reports errors, in a thread', async () => {
    const host = open();
    expect(await host.faultsOf(text, '{"id":"a"}', '')).toEqual([]);
    const detail = { path: 'parameters.id', message: 'must be string', rule: 'type', limit: 'string' };
    const faults = [{ text: '/id must be string', detail }];
    expect(await host.faultsOf(text, '{"id":1}', '')).toEqual(faults);
    expect(await Promise.all(Array.from({ length: 20 }, () => host.faultsOf(text, '{"id":1}', '')))).toEqual(
      Array.from({ length: 20 }, () => faults),
    );
    expect(host.threads).toBe(1);
  });

  it.each([{ type: 'nonsense' }, { $ref: 'https://example.com/a.json' }, { properties: { a: { pattern: '(' } } }])(
    'fails where the schema cannot be used: %j',
    async (schema) => {
      const host = open();
      const unusable = { reason: 'tool_failed', message: expect.stringContaining('its schema cannot be used: ') };
      await expect(host.faultsOf(schema, '{}', '')).rejects.toMatchObject(unusable);
      expect(await host.faultsOf(text, '{"id":"a"}', '')).toEqual([]);
      expect(host.threads).toBe(1);
    },
  );

  it('that takes too long is ended, and blocks nothing else meanwhile', async () => {
    const host = open({ deadlineMs: 2000 });
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 10);
    await expect(host.faultsOf(endless, victim, '')).rejects.toMatchObject(tooLong);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(10);
    expect(await host.faultsOf(endless, '{"id":"b"}', '')).toMatchObject([{ detail: { rule: 'pattern' } }]);
  });

  it('that compares everything with everything is ended as well', async () => {
    const items = Array.from({ length: 40_000 }, (_, index) => ({ a: index }));
    const schema = { properties: { items: { uniqueItems: true } } };
    await expect(open({ deadlineMs: 500 }).faultsOf(schema, JSON.stringify({ items }), '')).rejects.toMatchObject(
      tooLong,
    );
  });

  it.runIf(looksClosely)('of one owner does not hold up those of others', async () => {
    const host = open({ deadlineMs: 2000 });
    const order: string[] = [];
    const hostile = [1, 2].map((number) =>
      host.faultsOf(endless, victim, 'hostile').catch(() => order.push(`hostile ${number}`)),
    );
    await host.faultsOf(text, '{"id":"a"}', 'harmless').then(() => order.push('harmless'));
    await Promise.all(hostile);
    expect(order).toEqual(['harmless', 'hostile 1', 'hostile 2']);
  });

  it('leaves no thread behind when idle', async () => {
    const host = open({ idleMs: 20 });
    await host.faultsOf(text, '{"id":"a"}', '');
    await expect.poll(() => host.threads).toBe(0);
    expect(await host.faultsOf(text, '{"id":"a"}', '')).toEqual([]);
  });

  it('is aborted at a stop, and none starts afterwards', async () => {
    const host = open({ deadlineMs: 20_000 });
    const checking = [host.faultsOf(endless, victim, ''), host.faultsOf(text, '{}', 'another')];
    const ended = Promise.allSettled(checking);
    await expect.poll(() => host.threads).toBe(2);
    await host.close();
    expect((await ended)[0]).toMatchObject({ status: 'rejected', reason: { reason: 'tool_failed' } });
    await expect(host.faultsOf(text, '{}', '')).rejects.toMatchObject({ reason: 'not_ready' });
  });
});
