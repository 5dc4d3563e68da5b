import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { FlakyTests, secondAttempt } from './server/test/shared/flaky-tests.ts';

/** They count on what the other files of a process change. */
const alone = [
  // A uuid never sorts before those that a process made while a test had put its clock forward.
  'server/src/lib/uuid.test.ts',
  'server/src/storage/statistics/*.test.ts',
  'server/src/http/routes/stats/*.test.ts',
  // They count timers.
  ...globSync('server/src/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8').includes('getTimerCount('),
  ),
];

const settings = {
  // Each process that runs tests, and each thread and process that they start, would compile the same sources again.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'tests') },
  testTimeout: 30_000,
  // What fails before the tests of a file is not repeated.
  hookTimeout: 120_000,
  // What is waited for may take its time on a machine that is busy.
  expect: { poll: { timeout: 10_000 } },
  // Many tests wait for sockets and child processes: one worker more than there are cores keeps two cores busy.
  maxWorkers: 4,
  retry: secondAttempt,
  setupFiles: ['server/test/shared/seeded-properties.ts'],
};

export default defineConfig({
  test: {
    ...settings,
    reporters: ['default', new FlakyTests()],
    globalSetup: ['server/test/shared/global-setup.ts'],
    projects: [
      {
        test: {
          ...settings,
          name: 'together',
          include: ['{sdk,client,server,scripts,bench}/**/*.test.ts'],
          // Long tests have a configuration of their own, `vitest.long.config.ts`.
          exclude: [...configDefaults.exclude, 'server/test/long/**', '**/*.long.test.ts', ...alone],
          // Files share a process, which loads most modules once.
          isolate: false,
        },
      },
      { test: { ...settings, name: 'alone', include: alone } },
      {
        test: {
          ...settings,
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          // Files share a process with one DOM, which the setup empties after each test.
          environment: 'happy-dom',
          isolate: false,
          setupFiles: [...settings.setupFiles, 'web/testing/setup.ts'],
        },
      },
    ],
  },
});
