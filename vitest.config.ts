import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{sdk,client,server,web,scripts}/**/*.test.ts'],
    globalSetup: ['server/test/postgres/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Many tests wait for sockets and child processes: one worker more than there are cores keeps two cores busy.
    maxWorkers: 3,
  },
});
