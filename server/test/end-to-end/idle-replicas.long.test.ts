import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { type TestReplicas, testReplicas } from '../factories/start-replicas.ts';

let replicas: TestReplicas | undefined;
afterEach(() => replicas?.stop());

const seconds = 15;

it('two replicas that have nothing to do send hardly more than their beats', async () => {
  replicas = await testReplicas();
  await replicas.start();
  await replicas.start();
  await replicas.met();
  // What follows the start has ended.
  await wait(3000);
  const sent: string[] = [];
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    sent.push(typeof given[0] === 'string' ? given[0] : (given[0] as { text: string }).text);
    return query.apply(this, given);
  } as never;
  await wait(seconds * 1000).finally(() => {
    pg.Client.prototype.query = query as never;
  });
  const isBeat = (text: string) => text.includes('update replicas set beat');
  const beats = sent.filter(isBeat);
  expect(beats.length).toBeGreaterThan(2 * (seconds - 3));
  expect(beats.length).toBeLessThan(2 * (seconds + 3));
  // Rules of alerts are read every 15 s, by one of them.
  const others = sent.filter((text) => !isBeat(text));
  expect(others.length, others.join('\n')).toBeLessThan(seconds);
}, 60_000);
