import { expect, it } from 'vitest';
import { SharedRead } from './shared-read.ts';

/** Reads that the test ends. */
function openReads() {
  const begun: PromiseWithResolvers<string>[] = [];
  const shared = new SharedRead(() => {
    const read = Promise.withResolvers<string>();
    begun.push(read);
    return read.promise;
  });
  return { begun, shared };
}

it('is shared by callers from before it began, and not by later ones', async () => {
  const { begun, shared } = openReads();
  const first = shared.get();
  const later = [shared.get(), shared.get()];
  expect(begun).toHaveLength(1);
  begun[0]?.resolve('old');
  expect(await first).toBe('old');
  expect(begun).toHaveLength(2);
  const last = shared.get();
  begun[1]?.resolve('new');
  expect(await Promise.all(later)).toEqual(['new', 'new']);
  expect(begun).toHaveLength(3);
  begun[2]?.resolve('newest');
  expect(await last).toBe('newest');
  void shared.get();
  expect(begun).toHaveLength(4);
});

it('fails for those who share it, and not for the next', async () => {
  const { begun, shared } = openReads();
  const first = shared.get();
  const second = shared.get();
  begun[0]?.reject(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  begun[1]?.resolve('whole');
  expect(await second).toBe('whole');
});
