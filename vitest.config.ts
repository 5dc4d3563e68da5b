import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{sdk,client,server,web,scripts,bench}/**/*.test.ts'],
    // They have a configuration of their own, `vitest.long.config.ts`.
    exclude: [...configDefaults.exclude, 'server/test/long/**'],
    globalSetup: ['server/test/shared/global-setup.ts'],
    // Each test file, and each thread and process that it starts, would compile the same sources again.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'tests') },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for may take its time on a machine that is busy.
    expect: { poll: { timeout: 10_000 } },
    // Many tests wait for sockets and child processes: one worker more than there are cores keeps two cores busy.
    maxWorkers: 3,
  },
});
