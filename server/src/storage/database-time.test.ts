import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { looksClosely } from '../../test/shared/looks-closely.ts';
import { claimOne } from '../../test/stores/claim-one.ts';
import { makeMigratedPlace, type StoragePlace } from '../../test/stores/open-test-storage.ts';
import { now, secondsFromNow } from '../lib/clock.ts';
import { openLedger } from './messages/open-ledger.ts';
import { openStorage } from './storage.ts';

const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
const minutes = 60_000;

/** Has a process whose clock is wrong store a message, and tell what time it is. */
async function storeElsewhere(place: StoragePlace, dataDir: string, ahead: number) {
  const program = `
    const own = Date.now;
    Date.now = () => own() + ${ahead};
    const { openStorage } = await import(${module('./storage.ts')});
    const { openLedger } = await import(${module('./messages/open-ledger.ts')});
    const { addBot } = await import(${module('../../test/stores/add-bot.ts')});
    const { conversationKey, messageEvent } = await import(${module('../../test/stores/ledger-records.ts')});
    const { now, secondsFromNow } = await import(${module('../lib/clock.ts')});
    const options = { dataDir: ${JSON.stringify(dataDir)}, databaseUrl: ${JSON.stringify(place.databaseUrl)} };
    const storage = await openStorage(options);
    const { messages } = await openLedger(storage);
    await messages.accept(conversationKey({ bot_uuid: await addBot(storage) }), messageEvent('from elsewhere'));
    console.log(JSON.stringify({ present: now(), expiry: secondsFromNow(60) }));
    await storage.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  // As the program printed it.
  return JSON.parse(stdout) as { present: string; expiry: string };
}

describe('processes whose clocks differ, on one PostgreSQL database', () => {
  let place: StoragePlace;
  let folders: string;
  beforeEach(async () => {
    place = await makeMigratedPlace('postgres');
    folders = mkdtempSync(join(tmpdir(), 'parley-clocks-'));
  });
  afterEach(async () => {
    await place.remove();
    rmSync(folders, { recursive: true });
  });

  it.each(looksClosely ? [10, -10] : [10])(
    'go by the time of the database: one clock is %i minutes ahead',
    async (ahead) => {
      const storage = await openStorage(place);
      try {
        const before = now();
        const told = await storeElsewhere(place, join(folders, 'other'), ahead * minutes);
        const tolerance = 50;
        expect(Date.parse(told.present)).toBeGreaterThan(Date.parse(before) - tolerance);
        expect(Date.parse(told.present)).toBeLessThan(Date.parse(now()) + tolerance);
        expect(Date.parse(told.expiry)).toBeLessThan(Date.parse(secondsFromNow(60)) + tolerance);
        // Due at once, though it was queued by another clock.
        const { messages } = await openLedger(storage);
        await expect.poll(() => claimOne(messages, [])).toMatchObject({ text: 'from elsewhere' });
      } finally {
        await storage.close();
      }
    },
  );
});
