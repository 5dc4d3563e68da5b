import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { FlakyTests, secondAttempt } from './server/test/shared/flaky-tests.ts';

const everywhere = '{sdk,client,server,scripts,bench}/**';
const alone = 'server/test/long/**';

/** Files that `npm test` runs a part of, and those that look at pages, which here are looked at closely. */
const withMoreToTry = globSync(`${everywhere}/*.test.ts`, {
  cwd: import.meta.dirname,
  exclude: ['**/node_modules'],
}).filter((file) => /\/looks-closely\.ts';|\blook\('/.test(readFileSync(file, 'utf8')));

const settings = {
  env: { TEST_LOOK: 'closely', NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'tests') },
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 10_000 } },
  setupFiles: ['server/test/shared/seeded-properties.ts'],
};

/** Tests that take minutes: `npm run test:long`. */
export default defineConfig({
  test: {
    ...settings,
    reporters: ['default', new FlakyTests()],
    globalSetup: ['server/test/shared/global-setup.ts'],
    projects: [
      {
        test: {
          ...settings,
          name: 'alone',
          include: [`${alone}/*.test.ts`],
          // One after the other, since each keeps the machine busy by itself.
          fileParallelism: false,
          maxConcurrency: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...settings,
          name: 'together',
          include: [`${everywhere}/*.long.test.ts`, ...withMoreToTry],
          exclude: [...configDefaults.exclude, alone],
          isolate: false,
          // Those that kill and exhaust the service, above, get one attempt: they must not lose anything in any.
          retry: secondAttempt,
          // Many wait for sockets and child processes.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
