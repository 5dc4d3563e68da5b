import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { KyselyMetadataStore } from '../../storage/system/kysely-metadata-store.ts';
import { WizardService } from './wizard.ts';

let storage: Storage;
let metadata: KyselyMetadataStore;
let wizard: WizardService;
beforeEach(async () => {
  storage = await openTestStorage('sqlite');
  metadata = new KyselyMetadataStore(storage.database);
  wizard = new WizardService(metadata);
});
afterEach(() => storage.close());

/** An object in an object and so on. */
function nested(depth: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < depth; level += 1) value = level % 2 === 0 ? { value } : { list: [value] };
  return value;
}

it('has not started at first', async () => {
  expect(await wizard.read()).toEqual({ status: 'none', progress: null });
});

it('stores the last progress completely', async () => {
  await wizard.saveProgress({ step: 1, selected_adapter: 'telegram' });
  await wizard.saveProgress({ step: 2, nested: { list: [null, 1.5, 'é\0'] } });
  expect((await wizard.read()).progress).toEqual({ step: 2, nested: { list: [null, 1.5, 'é\0'] } });
});

it.each(['skipped', 'completed'] as const)('forgets the progress when it was %s', async (status) => {
  await wizard.saveProgress({ step: 1 });
  await wizard.end(status);
  expect(await wizard.read()).toEqual({ status, progress: null });
  await wizard.end(status);
});

it('ignores an unknown status', async () => {
  await metadata.set('wizard_status', 'lost');
  expect((await wizard.read()).status).toBe('none');
});

it('takes no progress that is nested endlessly', async () => {
  await wizard.saveProgress(nested(20));
  const before = await wizard.read();
  await expect(wizard.saveProgress(nested(23))).rejects.toMatchObject({ reason: 'invalid_request' });
  await expect(wizard.saveProgress(nested(5000))).rejects.toMatchObject({ reason: 'invalid_request' });
  expect(await wizard.read()).toEqual(before);
});
