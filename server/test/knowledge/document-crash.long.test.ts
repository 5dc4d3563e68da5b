import { it } from 'vitest';
import { makeMigratedPlace } from '../stores/open-test-storage.ts';
import { killAtSteps } from './kill-at-steps.ts';

// All steps, on both databases, are in `server/test/long`.
it('goes on with documents after kill -9, and leaves nothing behind', { timeout: 240_000 }, async () => {
  const place = await makeMigratedPlace('sqlite');
  try {
    await killAtSteps(place, ['adding', 'publishing'], true);
  } finally {
    await place.remove();
  }
});
