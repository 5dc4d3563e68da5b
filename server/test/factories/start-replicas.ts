import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/config/index.ts';
import type { Extensions } from '../../src/service.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { startTestService, type TestService, type TestServiceOptions } from './start-test-service.ts';

/** Services on one database and one folder of files, each with a data folder of its own. */
export interface TestReplicas {
  /** The folder of files. */
  files: string;
  /** Starts one more. @param account of it is only made for the first */
  start(
    options?: Pick<TestServiceOptions, 'account'> & { config?: Partial<Config>; extensions?: Extensions },
  ): Promise<TestService>;
  /** Resolves once each replica knows that there are others. */
  met(): Promise<void>;
  /** Ends all that are running, and removes what they shared. */
  stop(): Promise<void>;
}

export async function testReplicas(): Promise<TestReplicas> {
  const { url: databaseUrl, drop } = await migratedDatabase();
  const files = mkdtempSync(join(tmpdir(), 'parley-shared-files-'));
  const secretKey = Buffer.alloc(32, 7).toString('base64');
  const services: TestService[] = [];
  return {
    files,
    start: async ({ account = services.length === 0, config, extensions } = {}) => {
      const service = await startTestService({
        databaseUrl,
        account,
        config: { secretKey, filesFolder: files, ...config },
        extensions: extensions ?? {},
      });
      services.push(service);
      return service;
    },
    met: async () => {
      const [first] = services;
      if (first === undefined) return;
      const beats = async () =>
        (
          await first.database.selectFrom('replicas').select(['id', 'beat']).where('state', '!=', 'ended').execute()
        ).map(({ beat }) => Number(beat));
      const before = await beats();
      // The first of these may have been sent before the last replica came.
      while ((await beats()).some((beat, index) => beat < (before[index] ?? 0) + 2)) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    stop: async () => {
      for (const service of services.splice(0).reverse()) await service.stop();
      await drop();
      rmSync(files, { recursive: true, force: true });
    },
  };
}
