import type { Selectable } from 'kysely';
import type { ExpectedPassage, GoldenQuestion } from '../../core/knowledge/golden-question.ts';
import type { DocumentNames, GoldenQuestionStore, NamedDocument } from '../../core/knowledge/golden-question-store.ts';
import type { RecordPage } from '../../core/knowledge/record-page.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { columnsOf } from '../table-columns.ts';

type QuestionRow = Selectable<Tables['knowledge_questions']>;

/** Values that are named in one statement; databases take only so many. */
const batch = 500;

export class KyselyQuestionStore implements GoldenQuestionStore {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  async list(baseUuid: string, { after, limit }: RecordPage = {}): Promise<GoldenQuestion[]> {
    const questions = this.#database
      .selectFrom('knowledge_questions')
      .select(columnsOf('knowledge_questions'))
      .where('knowledge_base_uuid', '=', baseUuid)
      .orderBy('created_at')
      .orderBy('uuid');
    const page =
      after === undefined
        ? questions
        : questions.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('created_at', 'uuid'), '>', tuple(after.created_at, after.uuid)),
          );
    return (await (limit === undefined ? page : page.limit(limit)).execute()).map(toQuestion);
  }

  async byUuid(uuid: string): Promise<GoldenQuestion | null> {
    const row = await this.#database
      .selectFrom('knowledge_questions')
      .select(columnsOf('knowledge_questions'))
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    return row === undefined ? null : toQuestion(row);
  }

  create(
    baseUuid: string,
    questions: readonly GoldenQuestion[],
    maximum: number,
  ): Promise<'created' | 'limit_reached' | 'not_found'> {
    return this.#database.transaction().execute(async (transaction) => {
      // Locks the base against concurrent counts and deletion until the transaction ends.
      const base = await transaction
        .selectFrom('knowledge_bases')
        .select('uuid')
        .where('uuid', '=', baseUuid)
        .$if(this.#engine === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst();
      if (base === undefined) return 'not_found';
      const { count } = await transaction
        .selectFrom('knowledge_questions')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('knowledge_base_uuid', '=', baseUuid)
        .executeTakeFirstOrThrow();
      if (Number(count) + questions.length > maximum) return 'limit_reached';
      await transaction.insertInto('knowledge_questions').values(questions.map(toRow)).execute();
      return 'created';
    });
  }

  update(
    baseUuid: string,
    uuid: string,
    change: (stored: GoldenQuestion) => GoldenQuestion,
  ): Promise<GoldenQuestion | null> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('knowledge_questions')
        .select(columnsOf('knowledge_questions'))
        .where('knowledge_base_uuid', '=', baseUuid)
        .where('uuid', '=', uuid)
        .$if(this.#engine === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst();
      if (row === undefined) return null;
      const changed = change(toQuestion(row));
      await transaction.updateTable('knowledge_questions').set(toRow(changed)).where('uuid', '=', uuid).execute();
      return changed;
    });
  }

  async delete(baseUuid: string, uuid: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('knowledge_questions')
      .where('knowledge_base_uuid', '=', baseUuid)
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async documents(
    baseUuid: string,
    { uuids = [], file_uuids = [], file_names = [] }: DocumentNames,
  ): Promise<NamedDocument[]> {
    const found = new Map<string, NamedDocument>();
    const named = { uuid: uuids, file_uuid: file_uuids, file_name: file_names } as const;
    for (const column of ['uuid', 'file_uuid', 'file_name'] as const) {
      const values = [...new Set(named[column])];
      for (let from = 0; from < values.length; from += batch) {
        const rows = await this.#database
          .selectFrom('knowledge_documents')
          .select(['uuid', 'file_uuid', 'file_name'])
          .where('knowledge_base_uuid', '=', baseUuid)
          .where(column, 'in', values.slice(from, from + batch))
          .execute();
        for (const row of rows) found.set(row.uuid, row);
      }
    }
    return [...found.values()];
  }
}

function toRow({ expected, ...columns }: GoldenQuestion): QuestionRow {
  return { ...columns, expected: JSON.stringify(expected) };
}

function toQuestion({ expected, ...columns }: QuestionRow): GoldenQuestion {
  return { ...columns, expected: JSON.parse(expected) as ExpectedPassage[] };
}
