import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

const everywhere = '{sdk,client,server,scripts,bench}/**';
const alone = 'server/test/long/**';

/** Files that `npm test` runs a part of. */
const withMoreToTry = globSync(`${everywhere}/*.test.ts`, {
  cwd: import.meta.dirname,
  exclude: ['**/node_modules'],
}).filter((file) => readFileSync(file, 'utf8').includes("/looks-closely.ts';"));

const settings = {
  env: { TEST_LOOK: 'closely', NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'tests') },
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 10_000 } },
};

/** Tests that take minutes: `npm run test:long`. */
export default defineConfig({
  test: {
    ...settings,
    globalSetup: ['server/test/shared/global-setup.ts'],
    projects: [
      {
        test: {
          ...settings,
          name: 'alone',
          include: [`${alone}/*.test.ts`],
          // One after the other, since each keeps the machine busy by itself.
          fileParallelism: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...settings,
          name: 'together',
          include: [
            `${everywhere}/*.long.test.ts`,
            // The pages are walked through once more, and looked at closely.
            'server/test/browser/**/*.test.ts',
            ...withMoreToTry,
          ],
          exclude: [...configDefaults.exclude, alone],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
