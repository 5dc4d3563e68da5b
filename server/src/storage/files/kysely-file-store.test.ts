import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyFileStore } from './kysely-file-store.ts';

describeOnEachEngine('the store of files', (storage) => {
  it('gives a file back as it was stored', async () => {
    const store = new KyselyFileStore(storage().database);
    const file = {
      uuid: newUuid(),
      name: 'résumé 履歴書.pdf',
      size: 10_485_760,
      sha256: 'a'.repeat(64),
      media_type: 'application/pdf',
      created_at: now(),
    };
    await store.create(file);
    expect(await store.byUuid(file.uuid)).toEqual(file);
    expect(await store.byUuid(newUuid())).toBeNull();
  });
});
