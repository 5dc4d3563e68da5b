import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Maintenance database of the PostgreSQL server that all tests share; hand it to `freshDatabase`. */
    postgresUrl: string;
  }
}

export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('postgresUrl', server.url);
  return server.stop;
}
