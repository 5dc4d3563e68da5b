import { describe, expect, it } from 'vitest';
import { RecordCache } from './record-cache.ts';

/** A store of one kind of records that counts its reads. */
function openStore() {
  const rows = new Map<string, string>();
  const reads: string[] = [];
  const load = async (id: string) => {
    reads.push(id);
    return rows.get(id) ?? null;
  };
  return { rows, reads, load };
}

describe('the cache of records', () => {
  it('reads a record once per version', async () => {
    const { rows, reads, load } = openStore();
    const cache = new RecordCache();
    const read = cache.reader(load);
    rows.set('a', 'old');
    cache.see(1);
    expect([await read('a'), await read('a')]).toEqual(['old', 'old']);
    rows.set('a', 'new');
    cache.see(1);
    expect(await read('a')).toBe('old');
    cache.see(2);
    expect([await read('a'), await read('a')]).toEqual(['new', 'new']);
    expect(reads).toEqual(['a', 'a']);
  });

  it('remembers that there is no record, and notices a new one', async () => {
    const { rows, reads, load } = openStore();
    const cache = new RecordCache();
    const read = cache.reader(load);
    cache.see(1);
    expect([await read('a'), await read('a')]).toEqual([null, null]);
    expect(reads).toHaveLength(1);
    rows.set('a', 'new');
    cache.see(2);
    expect(await read('a')).toBe('new');
  });

  it('keeps nothing before it has seen a version', async () => {
    const { reads, load } = openStore();
    const read = new RecordCache().reader(load);
    await read('a');
    await read('a');
    expect(reads).toHaveLength(2);
  });

  it('drops records of every kind, also for a lower version: the database may be another one', async () => {
    const [one, other] = [openStore(), openStore()];
    const cache = new RecordCache();
    const [readOne, readOther] = [cache.reader(one.load), cache.reader(other.load)];
    for (const version of [7, 3]) {
      cache.see(version);
      await Promise.all([readOne('a'), readOther('a')]);
    }
    expect([one.reads, other.reads]).toEqual([
      ['a', 'a'],
      ['a', 'a'],
    ]);
  });

  it('does not keep what was being read when the version changed', async () => {
    const cache = new RecordCache();
    const started: PromiseWithResolvers<string>[] = [];
    const read = cache.reader(() => {
      const reading = Promise.withResolvers<string>();
      started.push(reading);
      return reading.promise;
    });
    cache.see(1);
    const before = read('a');
    cache.see(2);
    const after = read('a');
    started[0]?.resolve('old');
    started[1]?.resolve('new');
    expect([await before, await after, await read('a')]).toEqual(['old', 'new', 'new']);
    expect(started).toHaveLength(2);
  });

  it('shares one read, and forgets a failed one', async () => {
    const cache = new RecordCache();
    let reads = 0;
    const read = cache.reader(async () => {
      reads += 1;
      if (reads === 1) throw new Error('the store failed');
      return 'record';
    });
    cache.see(1);
    const results = await Promise.allSettled([read('a'), read('a')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(reads).toBe(1);
    expect(await read('a')).toBe('record');
  });

  it('is bounded', async () => {
    const { reads, load } = openStore();
    const cache = new RecordCache();
    const read = cache.reader(load);
    cache.see(1);
    for (let id = 0; id < 1001; id += 1) await read(String(id));
    await read('0');
    await read('1000');
    expect(reads).toHaveLength(1002);
  });
});
