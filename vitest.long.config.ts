import { defineConfig } from 'vitest/config';

/** Tests that take minutes: `npm run test:long`. One after the other, since each keeps the machine busy by itself. */
export default defineConfig({
  test: {
    // The pages are walked through once more, and looked at closely.
    include: ['server/test/long/**/*.test.ts', 'server/test/browser/**/*.test.ts'],
    env: { TEST_LOOK: 'closely' },
    testTimeout: 120_000,
    globalSetup: ['server/test/shared/global-setup.ts'],
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    fileParallelism: false,
  },
});
