import { describe, expect, it } from 'vitest';
import { ExtensionChanges } from './extension-changes.ts';

function open() {
  const reads: PromiseWithResolvers<void>[] = [];
  const changes = new ExtensionChanges();
  changes.register(() => {
    const read = Promise.withResolvers<void>();
    reads.push(read);
    return read.promise;
  });
  return { reads, changes };
}

describe('changes of extensions by other replicas', () => {
  it('are read once for each version, and not while there is no other replica', async () => {
    const { reads, changes } = open();
    await changes.follow(1);
    expect([reads.length, changes.isOutdated(1)]).toEqual([0, false]);
    changes.hasOthers = true;
    expect(changes.isOutdated(1)).toBe(true);
    const first = changes.follow(1);
    reads[0]?.resolve();
    await first;
    await changes.follow(1);
    expect([reads.length, changes.isOutdated(1), changes.isOutdated(2)]).toEqual([1, false, true]);
  });

  it('are read again after a read that began before the version was seen', async () => {
    const { reads, changes } = open();
    changes.hasOthers = true;
    const [first, second] = [changes.follow(1), changes.follow(2)];
    expect(reads).toHaveLength(1);
    reads[0]?.resolve();
    await first;
    await expect.poll(() => reads.length).toBe(2);
    expect(changes.isOutdated(2)).toBe(true);
    reads[1]?.resolve();
    await second;
    expect(changes.isOutdated(2)).toBe(false);
  });

  it('are read again after they could not be', async () => {
    const { reads, changes } = open();
    changes.hasOthers = true;
    const failing = changes.follow(1);
    reads[0]?.reject(new Error('the database is away'));
    await expect(failing).rejects.toThrow('away');
    expect(changes.isOutdated(1)).toBe(true);
  });
});
