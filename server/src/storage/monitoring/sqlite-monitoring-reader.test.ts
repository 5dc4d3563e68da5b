import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { makeStoragePlace } from '../../../test/stores/open-test-storage.ts';
import { openStorage } from '../storage.ts';
import { SqliteMonitoringReader } from './sqlite-monitoring-reader.ts';

const place = await makeStoragePlace('sqlite');
await (await openStorage(place)).close();
const file = join(place.dataDir, 'parley.db');
let reader: SqliteMonitoringReader;

afterEach(() => reader.close());
afterAll(() => place.remove());

const count = async () => (await reader.sums({ filter: {}, measures: ['received'], by: 'nothing' })).size;

it('answers concurrent calls', async () => {
  reader = new SqliteMonitoringReader(file);
  const answers = await Promise.all([count(), reader.names('bots'), reader.activeSessions({}), count()]);
  expect(answers).toEqual([0, new Map(), 0, 0]);
});

it('answers again after its idle thread ended', async () => {
  reader = new SqliteMonitoringReader(file, { keep: 1 });
  expect(await count()).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await count()).toBe(0);
});

it('reports an error, and continues', async () => {
  reader = new SqliteMonitoringReader(file);
  await expect(reader.names('nothing' as never)).rejects.toThrow('no such table');
  expect(await count()).toBe(0);
});

it('rejects when its thread cannot start, and retries', async () => {
  reader = new SqliteMonitoringReader(join(place.dataDir, 'nowhere', 'parley.db'));
  await expect(count()).rejects.toThrow('unable to open');
  await expect(count()).rejects.toThrow('unable to open');
});

it('rejects new and open calls when it is closed', async () => {
  reader = new SqliteMonitoringReader(file);
  const waiting = expect(count()).rejects.toThrow('closed');
  await reader.close();
  await waiting;
  await expect(count()).rejects.toThrow('closed');
});
