import type { UnattachedUploads } from '../../core/knowledge/unattached-uploads.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import { lockKnowledge } from './lock-knowledge.ts';

export class KyselyUnattachedUploads implements UnattachedUploads {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  discard(uploadedBefore: string, limit: number): Promise<number> {
    return this.#database.transaction().execute(async (transaction) => {
      // Serialized with a concurrent attach: either the upload is seen as attached, or the attach finds it gone.
      await lockKnowledge(transaction, this.#engine);
      const unattached = transaction
        .selectFrom('files')
        .select('files.uuid')
        .where('purpose', '=', 'document')
        .where('files.created_at', '<', uploadedBefore)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('knowledge_documents')
                .select('knowledge_documents.uuid')
                .whereRef('knowledge_documents.file_uuid', '=', 'files.uuid'),
            ),
          ),
        )
        .orderBy('files.created_at')
        .limit(limit);
      const { numUpdatedRows } = await transaction
        .updateTable('files')
        .set({ purpose: 'discarded' })
        .where('uuid', 'in', unattached)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    });
  }
}
