import { freshDatabase } from '../../../server/test/postgres/fresh-database.ts';
import { type PostgresServer, startPostgres } from '../../../server/test/postgres/postgres-server.ts';
import { withFolder } from '../../lib/service-process.ts';
import type { ScenarioOptions } from '../scenario.ts';
import { type Stage, type StageOptions, withStage } from './stage.ts';

/** What a stage stands on. */
export interface Ground {
  /** Null on SQLite. */
  postgres: PostgresServer | null;
  /** Address of the service's database; null on SQLite. */
  databaseUrl: string | null;
}

/** A bot that sends whole answers and one that shows them while they are written. */
export const twoBots = [
  { name: 'plain', streaming: false },
  { name: 'stream', streaming: true },
] as const;

/** Makes a folder and, where it is needed, a PostgreSQL server for a stage. Nothing of it is left. */
export async function withEngineStage<Result>(
  { engine, tree, log, sizes }: ScenarioOptions,
  options: Partial<Pick<StageOptions, 'bots' | 'environment' | 'wireMs'>>,
  use: (stage: Stage, ground: Ground) => Promise<Result>,
): Promise<Result> {
  return await withFolder(async (folder) => {
    const postgres = engine === 'postgres' ? await startPostgres() : null;
    try {
      const databaseUrl = postgres === null ? null : (await freshDatabase(postgres.url)).url;
      return await withStage(
        {
          folder,
          databaseUrl,
          bots: twoBots,
          log,
          wireMs: sizes.wire,
          ...(tree === undefined ? {} : { tree }),
          ...options,
        },
        (stage) => use(stage, { postgres, databaseUrl }),
      );
    } finally {
      await postgres?.stop();
    }
  });
}
