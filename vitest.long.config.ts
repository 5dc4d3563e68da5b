import { defineConfig } from 'vitest/config';

/** Tests that take minutes: `npm run test:long`. One after the other, since each keeps the machine busy by itself. */
export default defineConfig({
  test: {
    include: ['server/test/long/**/*.test.ts'],
    globalSetup: ['server/test/postgres/global-setup.ts'],
    hookTimeout: 30_000,
    fileParallelism: false,
  },
});
