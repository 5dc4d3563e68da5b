import { afterEach, describe, expect, it } from 'vitest';
import { StorageError } from '../lib/storage-error.ts';
import { StorageHealth } from './storage-health.ts';

const full = new StorageError('disk_full', 'database or disk is full');
const away = new StorageError('unreachable', 'connect ECONNREFUSED');
const corrupt = new StorageError('corrupt', 'database disk image is malformed');
const stuck = new StorageError('locked', 'stuck');

describe('the health of the storage', () => {
  let probe: () => Promise<void>;
  let probes = 0;
  let health: StorageHealth;
  const changes: (string | null)[] = [];
  const make = (intervalMs = 20) => {
    probes = 0;
    changes.length = 0;
    probe = async () => {};
    health = new StorageHealth({
      probe: () => {
        probes += 1;
        return probe();
      },
      stuck: () => stuck,
      intervalMs,
    });
    health.onChange((trouble) => changes.push(trouble?.detail ?? null));
  };
  afterEach(() => health.close());

  it('is good until a fault is reported, and again when a write succeeds', async () => {
    make();
    expect(health.trouble).toBe(null);
    let isFull = true;
    probe = async () => {
      if (isFull) throw full;
    };
    health.failed(full);
    expect(health.trouble).toBe(full);
    await expect.poll(() => probes).toBeGreaterThan(2);
    expect(health.trouble).toBe(full);
    isFull = false;
    await expect.poll(() => health.trouble).toBe(null);
    expect(changes).toEqual(['disk_full', null]);
    const after = probes;
    await health.close();
    expect(probes).toBe(after);
  });

  it('probes when it is checked, at most once in an interval', async () => {
    make(60_000);
    expect(await health.check()).toBe(null);
    expect(await health.check()).toBe(null);
    expect(probes).toBe(1);
    make();
    probe = () => Promise.reject(full);
    expect(await health.check()).toBe(full);
    expect(changes).toEqual(['disk_full']);
  });

  it('is unhealthy when a write does not end in time, and probes once', async () => {
    make();
    const writing = Promise.withResolvers<void>();
    probe = () => writing.promise;
    expect(await health.check(10)).toBe(stuck);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await health.check(10)).toBe(stuck);
    expect(probes).toBe(1);
    expect(health.trouble).toBe(null);
    writing.resolve();
    expect(await health.check()).toBe(null);
  });

  it('does not count a write that started before the fault', async () => {
    make(60_000);
    const writing = Promise.withResolvers<void>();
    probe = () => writing.promise;
    const checked = health.check();
    health.failed(away);
    writing.resolve();
    expect(await checked).toBe(away);
    expect(health.trouble).toBe(away);
  });

  it('stays in trouble after damage was found', async () => {
    make();
    health.failed(full);
    health.failed(corrupt);
    expect(await health.check()).toBe(corrupt);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await health.check()).toBe(corrupt);
    expect(changes).toEqual(['disk_full', 'corrupt']);
  });

  it.each([
    new StorageError('constraint', 'UNIQUE constraint failed'),
    new StorageError('conflict', 'deadlock detected'),
    new StorageError('closed', 'The database is closed'),
    new Error('other'),
    'text',
  ])('%s does not affect it', (error) => {
    make();
    health.failed(error);
    expect(health.trouble).toBe(null);
  });
});
