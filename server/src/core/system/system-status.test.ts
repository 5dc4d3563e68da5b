import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { StorageSize } from './storage-meter.ts';
import { type SystemFacts, SystemStatusService } from './system-status.ts';

const facts: SystemFacts = {
  version: '1.2.3',
  node_version: 'v26.0.0',
  platform: 'linux-x64',
  engine: 'sqlite',
  settings: [],
  extensions: [],
};

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T10:00:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

it('shows its start time, also after a change of the clock, and measures each time', async () => {
  const storage: StorageSize[] = [{ name: 'ledger', bytes: 1 }];
  let memory = 100;
  const status = new SystemStatusService({ facts, meter: { measure: async () => storage }, memoryBytes: () => memory });
  expect(await status.read()).toEqual({
    ...facts,
    started_at: '2026-11-21T10:00:00.000Z',
    uptime_seconds: 0,
    memory_bytes: 100,
    storage,
  });
  vi.advanceTimersByTime(90_900);
  vi.setSystemTime(new Date('2025-01-01T00:00:00.000Z'));
  memory = 200;
  storage[0] = { name: 'ledger', bytes: null };
  expect(await status.read()).toMatchObject({
    started_at: '2026-11-21T10:00:00.000Z',
    uptime_seconds: 90,
    memory_bytes: 200,
    storage: [{ name: 'ledger', bytes: null }],
  });
});
