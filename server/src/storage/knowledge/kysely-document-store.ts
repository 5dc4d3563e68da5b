import { type Insertable, sql, type Transaction } from 'kysely';
import {
  type DocumentFilter,
  type DocumentStage,
  documentStates,
  type KnowledgeDocument,
} from '../../core/knowledge/document.ts';
import type {
  DocumentEnding,
  DocumentFindings,
  DocumentRefusal,
  DocumentStore,
  DocumentWork,
  MissingDocument,
} from '../../core/knowledge/document-store.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../../core/records/record-listing.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { type ListColumns, listedRows, namedRows } from '../records/listed-rows.ts';
import type { Claimant } from '../replicas/claimant.ts';
import type { TakesOver } from '../replicas/replica-rows.ts';
import { columnsOf, type WholeRow } from '../table-columns.ts';
import { belongInto, forgotten, storedIn } from './collection-documents.ts';
import { DocumentClaims, running } from './document-claims.ts';
import { placeOf } from './document-place.ts';
import { lockKnowledge } from './lock-knowledge.ts';

type DocumentRow = WholeRow<'knowledge_documents'>;

const gotFurther = sql`knowledge_collection_documents.reached > knowledge_collection_documents.furthest`;

const columns: ListColumns = {
  id: 'knowledge_documents.uuid',
  name: 'knowledge_documents.file_name',
  searched: ['knowledge_documents.file_name', 'knowledge_documents.title'],
  sorted: {
    file_name: { column: 'knowledge_documents.file_name', isText: true },
    stage: { column: 'knowledge_documents.stage' },
    size: { column: 'knowledge_documents.size' },
    chunk_count: { column: 'knowledge_documents.chunk_count' },
    created_at: { column: 'knowledge_documents.created_at' },
    updated_at: { column: 'knowledge_documents.updated_at' },
  },
};

export class KyselyDocumentStore implements DocumentStore, TakesOver {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #claims: DocumentClaims;

  constructor(database: Database, engine: Engine, claimant: Claimant) {
    this.#database = database;
    this.#engine = engine;
    this.#claims = new DocumentClaims(engine, claimant);
  }

  create(document: KnowledgeDocument, allowDuplicate: boolean): Promise<DocumentRefusal | null> {
    const { knowledge_base_uuid, file_uuid, sha256 } = document;
    return this.#change(async (transaction) => {
      const bases = transaction.selectFrom('knowledge_bases').select('uuid').where('uuid', '=', knowledge_base_uuid);
      if ((await bases.executeTakeFirst()) === undefined) return { reason: 'no_base' };
      const documents = transaction
        .selectFrom('knowledge_documents')
        .select(columnsOf('knowledge_documents'))
        .where('knowledge_base_uuid', '=', knowledge_base_uuid)
        .orderBy('uuid');
      const sameFile = await documents.where('file_uuid', '=', file_uuid).executeTakeFirst();
      if (sameFile !== undefined) return { reason: 'same_file', document: toDocument(sameFile) };
      // Locks the row, so that a concurrent check for documents does not discard it.
      const file = transaction.updateTable('files').set({ purpose: 'document' }).where('purpose', '=', 'document');
      const { numUpdatedRows } = await file.where('uuid', '=', file_uuid).executeTakeFirst();
      if (numUpdatedRows === 0n) return { reason: 'no_file' };
      // One that failed is only in the way where no other has the content.
      const sameContent = allowDuplicate
        ? undefined
        : await documents
            .where('sha256', '=', sha256)
            .clearOrderBy()
            .orderBy(sql`case when stage in (${sql.join(documentStates.failed)}) then 1 else 0 end`)
            .orderBy('uuid')
            .executeTakeFirst();
      if (sameContent !== undefined) return { reason: 'same_content', document: toDocument(sameContent) };
      await transaction.insertInto('knowledge_documents').values(toRow(document)).execute();
      return null;
    });
  }

  async byUuid(uuid: string): Promise<KnowledgeDocument | null> {
    return documentOrNull(await selectDocument(this.#database, uuid));
  }

  async latestNamed(baseUuid: string, fileName: string): Promise<KnowledgeDocument | null> {
    const row = await this.#database
      .selectFrom('knowledge_documents')
      .select(columnsOf('knowledge_documents'))
      .where('knowledge_base_uuid', '=', baseUuid)
      .where('file_name', '=', fileName)
      // Uuids sort by creation time.
      .orderBy('uuid', 'desc')
      .limit(1)
      .executeTakeFirst();
    return documentOrNull(row);
  }

  async page(
    baseUuid: string,
    { limit, after }: { limit: number; after: Pick<KnowledgeDocument, 'created_at' | 'uuid'> | null },
  ): Promise<KnowledgeDocument[]> {
    const rows = await this.#database
      .selectFrom('knowledge_documents')
      .select(columnsOf('knowledge_documents'))
      .where('knowledge_base_uuid', '=', baseUuid)
      .$if(after !== null, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'uuid'), '>', tuple(after?.created_at ?? '', after?.uuid ?? '')),
        ),
      )
      .orderBy('created_at')
      .orderBy('uuid')
      .limit(limit)
      .execute();
    return rows.map(toDocument);
  }

  async listed(
    baseUuid: string | null,
    listing: RecordListing & DocumentFilter,
  ): Promise<ListedRecords<KnowledgeDocument>> {
    const query = matching(this.#database, baseUuid, listing).select(columnsOf('knowledge_documents'));
    const { rows, total } = await listedRows(this.#engine, query, columns, listing);
    return { records: rows.map(toDocument), total };
  }

  names(baseUuid: string, listing: RecordListing & DocumentFilter): Promise<NamedRecord[]> {
    return namedRows(this.#engine, matching(this.#database, baseUuid, listing), columns, listing);
  }

  async firstQueued(): Promise<KnowledgeDocument[]> {
    const rows = await this.#database
      .selectFrom('knowledge_documents')
      .select(columnsOf('knowledge_documents'))
      .where('uuid', 'in', ({ selectFrom, fn }) =>
        selectFrom('knowledge_documents')
          // Uuids sort by creation time.
          .select(fn.min('uuid').as('uuid'))
          .where('stage', '=', 'queued')
          .where('claimed_by', 'is', null)
          .groupBy('knowledge_base_uuid'),
      )
      .orderBy('uuid')
      .execute();
    return rows.map(toDocument);
  }

  async missing(collectionId: string, limit: number): Promise<MissingDocument[]> {
    const rows = await belongInto(this.#database, collectionId)
      .leftJoin('knowledge_collection_documents as entry', (join) =>
        join.onRef('entry.document_uuid', '=', 'knowledge_documents.uuid').on('entry.collection_id', '=', collectionId),
      )
      .select(['knowledge_documents.uuid', 'entry.attempts'])
      .where('entry.chunk_count', 'is', null)
      .where(({ or, eb }) =>
        or([eb('entry.claimed_by', 'is', null), eb('entry.claimed_by', '=', this.#claims.claimant)]),
      )
      .orderBy('knowledge_documents.uuid')
      .limit(limit)
      .execute();
    return rows.map(({ uuid, attempts }) => ({ uuid, attempts: attempts ?? 0 }));
  }

  async progress(collectionId: string): Promise<{ done: number; total: number }> {
    const { done, total } = await belongInto(this.#database, collectionId)
      .select(({ fn }) => fn.countAll().as('total'))
      .select(sql`coalesce(sum(case when ${storedIn(collectionId)} then 1 else 0 end), 0)`.as('done'))
      .executeTakeFirstOrThrow();
    return { done: Number(done), total: Number(total) };
  }

  begin(uuid: string, now: string): Promise<DocumentWork | null> {
    return this.#change(async (transaction) => {
      const claimed = await transaction
        .updateTable('knowledge_documents')
        .set(({ eb }) => ({ stage: 'parsing', attempts: eb('attempts', '+', 1), updated_at: now }))
        .set(({ eb }) => ({ claimed_by: this.#claims.claimant, claim: eb('claim', '+', 1) }))
        .where('uuid', '=', uuid)
        .where('stage', '=', 'queued')
        .where('claimed_by', 'is', null)
        .returning('claim')
        .executeTakeFirst();
      const row = claimed === undefined ? undefined : await selectDocument(transaction, uuid);
      if (claimed === undefined || row === undefined) return null;
      const document = toDocument(row);
      const { collection_id } = await searchedCollection(transaction, document);
      return { document, collection_id, attempt: document.attempts, is_beside: false, claim: claimed.claim };
    });
  }

  beginBeside(uuid: string, collectionId: string, now: string): Promise<DocumentWork | null> {
    return this.#change(async (transaction) => {
      const missing = await belongInto(transaction, collectionId)
        .select(columnsOf('knowledge_documents'))
        .where('knowledge_documents.uuid', '=', uuid)
        .where('knowledge_collections.state', 'in', ['building', 'waiting'])
        .where(({ not }) => not(storedIn(collectionId)))
        .executeTakeFirst();
      if (missing === undefined) return null;
      const { claimant } = this.#claims;
      const begun = await transaction
        .insertInto('knowledge_collection_documents')
        .values({
          collection_id: collectionId,
          document_uuid: uuid,
          chunk_count: null,
          attempts: 1,
          claimed_by: claimant,
          claim: 1,
          created_at: now,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['collection_id', 'document_uuid'])
            .doUpdateSet({
              // A run that got further than any before it resets the count: to itself and the present one.
              attempts: sql<number>`case when ${gotFurther} then 2 else knowledge_collection_documents.attempts + 1 end`,
              furthest: sql<number>`case when ${gotFurther} then knowledge_collection_documents.reached
                else knowledge_collection_documents.furthest end`,
              reached: 0,
              claimed_by: claimant,
              claim: sql<number>`knowledge_collection_documents.claim + 1`,
            })
            // One of this replica did not end in the store; the caller knows that it does not run any more.
            .where(({ or, eb }) =>
              or([
                eb('knowledge_collection_documents.claimed_by', 'is', null),
                eb('knowledge_collection_documents.claimed_by', '=', claimant),
              ]),
            ),
        )
        .returning(['attempts', 'claim'])
        .executeTakeFirst();
      if (begun === undefined) return null;
      const { attempts: attempt, claim } = begun;
      return { document: toDocument(missing), collection_id: collectionId, attempt, is_beside: true, claim };
    });
  }

  async update(
    { document, claim }: DocumentWork,
    { warnings, pages, ...columns }: DocumentFindings,
    now: string,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('knowledge_documents')
      .set({
        ...columns,
        ...(warnings === undefined ? {} : { warnings: JSON.stringify(warnings) }),
        ...(pages === undefined ? {} : { pages: JSON.stringify(pages) }),
        updated_at: now,
      })
      .where('uuid', '=', document.uuid)
      .where('claimed_by', '=', this.#claims.claimant)
      .where('claim', '=', claim)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async nameTask(uuid: string, taskId: number): Promise<void> {
    const documents = this.#database.updateTable('knowledge_documents').set({ task_id: taskId });
    await documents.where('uuid', '=', uuid).execute();
  }

  end(work: DocumentWork, ending: DocumentEnding, now: string): Promise<KnowledgeDocument | null> {
    const { document, collection_id } = work;
    const { uuid } = document;
    return this.#change(async (transaction) => {
      const row = (await this.#claims.isOurs(transaction, work)) ? await selectDocument(transaction, uuid) : undefined;
      if (row === undefined) return null;
      const isSearched = (await searchedCollection(transaction, row)).collection_id === collection_id;
      if (!isSearched && ending.stage !== 'cancelled') {
        await setStage(transaction, uuid, { stage: 'queued' }, now);
        return documentOrNull(await selectDocument(transaction, uuid));
      }
      if (ending.stage === 'ready') {
        const { chunk_count } = ending;
        await transaction
          .insertInto('knowledge_collection_documents')
          .values({ collection_id, document_uuid: uuid, chunk_count, attempts: 0, created_at: now })
          .onConflict((conflict) =>
            conflict.columns(['collection_id', 'document_uuid']).doUpdateSet({ chunk_count, attempts: 0 }),
          )
          .execute();
        await transaction.updateTable('knowledge_documents').set({ chunk_count }).where('uuid', '=', uuid).execute();
      }
      await setStage(transaction, uuid, ending, now);
      // A stopped run does not count as a failed attempt.
      if (ending.stage === 'queued') {
        const { furthest } = row;
        const progress = { attempts: Math.max(0, row.attempts - 1), furthest };
        await transaction.updateTable('knowledge_documents').set(progress).where('uuid', '=', uuid).execute();
      }
      return documentOrNull(await selectDocument(transaction, uuid));
    });
  }

  async endBeside({ document, collection_id, attempt, claim }: DocumentWork, chunkCount: number | null) {
    const changes =
      chunkCount === null ? { attempts: attempt - 1 } : { attempts: 0, furthest: 0, chunk_count: chunkCount };
    const { numUpdatedRows } = await this.#database
      .updateTable('knowledge_collection_documents')
      .set({ ...changes, reached: 0, claimed_by: null })
      .where('collection_id', '=', collection_id)
      .where('document_uuid', '=', document.uuid)
      .where('claimed_by', '=', this.#claims.claimant)
      .where('claim', '=', claim)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async noteBeside(
    { document, collection_id, claim }: DocumentWork,
    { stage, done }: { stage: DocumentStage; done: number },
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('knowledge_collection_documents')
      .set({ reached: placeOf(stage, done) })
      .where('collection_id', '=', collection_id)
      .where('document_uuid', '=', document.uuid)
      .where('claimed_by', '=', this.#claims.claimant)
      .where('claim', '=', claim)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async isLeftOver({ document, collection_id }: DocumentWork): Promise<boolean> {
    const known = await this.#database
      .selectFrom('knowledge_documents')
      .select('uuid')
      .where('uuid', '=', document.uuid)
      .where(({ or, and, eb }) =>
        or([
          storedIn(collection_id),
          eb('stage', 'in', ['ready', ...running]),
          // One that is claimed is being removed.
          and([eb('stage', '=', 'queued'), eb('claimed_by', 'is', null)]),
        ]),
      )
      .executeTakeFirst();
    return known === undefined;
  }

  move(
    uuid: string,
    from: readonly DocumentStage[],
    to: Exclude<DocumentEnding, { stage: 'ready' }>,
    now: string,
  ): Promise<KnowledgeDocument | null> {
    return this.#change(async (transaction) => {
      const row = await selectDocument(transaction, uuid);
      if (row === undefined || !from.includes(row.stage)) return null;
      await setStage(transaction, uuid, to, now);
      return documentOrNull(await selectDocument(transaction, uuid));
    });
  }

  beginRemoval(uuid: string, now: string): Promise<void> {
    return this.#change(async (transaction) => {
      await transaction
        .updateTable('knowledge_documents')
        .set(({ eb }) => ({ claimed_by: this.#claims.claimant, claim: eb('claim', '+', 1), chunk_count: 0 }))
        .where('uuid', '=', uuid)
        .execute();
      // It neither appears to be running, nor belongs into collections that are being built.
      await transaction
        .updateTable('knowledge_documents')
        .set({ stage: 'queued', done: 0, total: 0, finished_at: null, updated_at: now })
        .where('uuid', '=', uuid)
        .where('stage', 'in', ['ready', ...running])
        .execute();
      const entries = transaction.updateTable('knowledge_collection_documents').set(forgotten);
      await entries.where('document_uuid', '=', uuid).execute();
    });
  }

  forgetBeside(uuid: string, searched: string): Promise<void> {
    return this.#change(async (transaction) => {
      const entries = transaction.updateTable('knowledge_collection_documents').set(forgotten);
      await entries.where('document_uuid', '=', uuid).where('collection_id', '!=', searched).execute();
    });
  }

  delete(uuid: string): Promise<void> {
    return this.#change(async (transaction) => {
      const row = await selectDocument(transaction, uuid);
      if (row === undefined) return;
      await transaction.deleteFrom('knowledge_documents').where('uuid', '=', uuid).execute();
      const others = transaction.selectFrom('knowledge_documents').select('file_uuid');
      await transaction
        .updateTable('files')
        .set({ purpose: 'discarded' })
        .where('uuid', '=', row.file_uuid)
        .where('uuid', 'not in', others.where('file_uuid', '=', row.file_uuid))
        .execute();
    });
  }

  recover(): Promise<number> {
    return this.#database.transaction().execute((transaction) => this.#claims.takeOver(transaction));
  }

  async takeOver(transaction: Transaction<Tables>): Promise<void> {
    await this.#claims.takeOver(transaction);
  }

  #change<Result>(change: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    return this.#database.transaction().execute(async (transaction) => {
      await lockKnowledge(transaction, this.#engine);
      return change(transaction);
    });
  }
}

function selectDocument(database: Database | Transaction<Tables>, uuid: string): Promise<DocumentRow | undefined> {
  return database
    .selectFrom('knowledge_documents')
    .select(columnsOf('knowledge_documents'))
    .where('uuid', '=', uuid)
    .executeTakeFirst();
}

function searchedCollection(
  transaction: Transaction<Tables>,
  { knowledge_base_uuid }: Pick<DocumentRow, 'knowledge_base_uuid'>,
): Promise<{ collection_id: string }> {
  const bases = transaction.selectFrom('knowledge_bases').select('collection_id');
  return bases.where('uuid', '=', knowledge_base_uuid).executeTakeFirstOrThrow();
}

async function setStage(
  transaction: Transaction<Tables>,
  uuid: string,
  ending: DocumentEnding,
  now: string,
): Promise<void> {
  const isQueued = ending.stage === 'queued';
  await transaction
    .updateTable('knowledge_documents')
    .set({
      stage: ending.stage,
      reason: ending.stage === 'failed' ? ending.reason : null,
      error: ending.stage === 'failed' ? ending.error : null,
      ...(isQueued ? { done: 0, total: 0, attempts: 0, furthest: 0, finished_at: null } : { finished_at: now }),
      // The replica that works on it notices.
      claimed_by: null,
      updated_at: now,
    })
    .where('uuid', '=', uuid)
    .execute();
}

function toRow({
  metadata,
  warnings,
  pages,
  ...columns
}: KnowledgeDocument): Insertable<Tables['knowledge_documents']> {
  return {
    ...columns,
    metadata: JSON.stringify(metadata),
    warnings: JSON.stringify(warnings),
    pages: JSON.stringify(pages),
  };
}

function toDocument({ metadata, warnings, pages, furthest: _, ...columns }: DocumentRow): KnowledgeDocument {
  return {
    ...columns,
    metadata: JSON.parse(metadata) as KnowledgeDocument['metadata'],
    warnings: JSON.parse(warnings) as string[],
    pages: JSON.parse(pages) as KnowledgeDocument['pages'],
  };
}

function documentOrNull(row: DocumentRow | undefined): KnowledgeDocument | null {
  return row === undefined ? null : toDocument(row);
}

function matching(database: Database, baseUuid: string | null, { state }: DocumentFilter) {
  return database
    .selectFrom('knowledge_documents')
    .$if(baseUuid !== null, (documents) => documents.where('knowledge_documents.knowledge_base_uuid', '=', baseUuid))
    .$if(state !== undefined, (documents) =>
      documents.where('knowledge_documents.stage', 'in', [...documentStates[state ?? 'ready']]),
    );
}
