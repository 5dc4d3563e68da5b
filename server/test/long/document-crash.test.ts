import { describe, it } from 'vitest';
import { killAtSteps, type Step } from '../knowledge/kill-at-steps.ts';
import { engines } from '../stores/each-engine.ts';
import { makeStoragePlace } from '../stores/open-test-storage.ts';

const beginning: Step[] = ['queued', 'parsing', 'chunking'];
const end: Step[] = ['adding', 'publishing', 'published', 'removing', 'removed', 'rebuilding', 'switching', 'dropped'];

describe.each(engines)('on %s, killed at every step of documents', (engine) => {
  it('goes on, and leaves nothing behind', { timeout: 900_000 }, async () => {
    // The PostgreSQL of the tests keeps no vectors.
    const isWithVectors = engine === 'sqlite';
    const place = await makeStoragePlace(engine);
    try {
      await killAtSteps(
        place,
        [...beginning, ...(isWithVectors ? (['embedding'] as const) : []), ...end],
        isWithVectors,
      );
    } finally {
      await place.remove();
    }
  });
});
