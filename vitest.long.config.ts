import { defineConfig } from 'vitest/config';

/** Tests that take minutes: `npm run test:long`. One after the other, since each keeps the machine busy by itself. */
export default defineConfig({
  test: {
    include: [
      'server/test/long/**/*.test.ts',
      // The pages are walked through once more, and looked at closely; so is what else has more to be looked at.
      'server/test/browser/**/*.test.ts',
      'server/src/storage/knowledge/postgres/postgres-chunk-store.test.ts',
    ],
    env: { TEST_LOOK: 'closely' },
    testTimeout: 120_000,
    globalSetup: ['server/test/shared/global-setup.ts'],
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    fileParallelism: false,
  },
});
