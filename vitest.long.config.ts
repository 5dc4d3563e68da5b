import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Files that `npm test` runs a part of. */
const withMoreToTry = globSync('{sdk,client,server,scripts,bench}/**/*.test.ts', {
  cwd: import.meta.dirname,
  exclude: ['**/node_modules'],
}).filter((file) => readFileSync(file, 'utf8').includes("/looks-closely.ts';"));

/** Tests that take minutes: `npm run test:long`. One after the other, since each keeps the machine busy by itself. */
export default defineConfig({
  test: {
    include: [
      'server/test/long/**/*.test.ts',
      '{sdk,client,server,scripts,bench}/**/*.long.test.ts',
      // The pages are walked through once more, and looked at closely; so is what else has more to be looked at.
      'server/test/browser/**/*.test.ts',
      ...withMoreToTry,
    ],
    env: { TEST_LOOK: 'closely' },
    testTimeout: 120_000,
    globalSetup: ['server/test/shared/global-setup.ts'],
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    fileParallelism: false,
  },
});
