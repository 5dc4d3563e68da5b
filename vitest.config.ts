import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{sdk,client,server,web,scripts,bench}/**/*.test.ts'],
    // They have a configuration of their own, `vitest.long.config.ts`.
    exclude: [...configDefaults.exclude, 'server/test/long/**'],
    globalSetup: ['server/test/postgres/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for may take its time on a machine that is busy.
    expect: { poll: { timeout: 10_000 } },
    // Many tests wait for sockets and child processes: one worker more than there are cores keeps two cores busy.
    maxWorkers: 3,
  },
});
