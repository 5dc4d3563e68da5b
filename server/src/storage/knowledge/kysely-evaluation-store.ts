import type { Transaction } from 'kysely';
import type { EvaluationStore, EvaluationSummary } from '../../core/knowledge/evaluation-store.ts';
import type { Evaluation, QuestionResult } from '../../core/knowledge/golden-question.ts';
import type { RecordPage } from '../../core/knowledge/record-page.ts';
import { now } from '../../lib/clock.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { isAbandoned, type TakesOver } from '../replicas/replica-rows.ts';
import { columnsOf, type WholeRow } from '../table-columns.ts';

type EvaluationRow = WholeRow<'knowledge_evaluations'>;

const summaryColumns = [
  'uuid',
  'knowledge_base_uuid',
  'collection_id',
  'state',
  'asked_by',
  'model_uuid',
  'figures',
  'error',
  'created_at',
  'finished_at',
] as const;

export class KyselyEvaluationStore implements EvaluationStore, TakesOver {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #claimant: Claimant;

  constructor(database: Database, engine: Engine, claimant: Claimant) {
    this.#database = database;
    this.#engine = engine;
    this.#claimant = claimant;
  }

  async list(baseUuid: string, { after, limit }: RecordPage = {}): Promise<EvaluationSummary[]> {
    const evaluations = this.#database
      .selectFrom('knowledge_evaluations')
      .select(summaryColumns)
      .where('knowledge_base_uuid', '=', baseUuid)
      .orderBy('created_at', 'desc')
      .orderBy('uuid', 'desc');
    const page =
      after === undefined
        ? evaluations
        : evaluations.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('created_at', 'uuid'), '<', tuple(after.created_at, after.uuid)),
          );
    return (await (limit === undefined ? page : page.limit(limit)).execute()).map(toSummary);
  }

  async byUuid(baseUuid: string, uuid: string): Promise<Evaluation | null> {
    const row = await this.#database
      .selectFrom('knowledge_evaluations')
      .select(columnsOf('knowledge_evaluations'))
      .where('knowledge_base_uuid', '=', baseUuid)
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    return row === undefined ? null : { ...toSummary(row), results: JSON.parse(row.results) as Evaluation['results'] };
  }

  create(evaluation: Evaluation, keep: number): Promise<boolean> {
    const base = evaluation.knowledge_base_uuid;
    return this.#database.transaction().execute(async (transaction) => {
      // So that it is not deleted before this is done.
      const found = await transaction
        .selectFrom('knowledge_bases')
        .select('uuid')
        .where('uuid', '=', base)
        .$if(this.#engine === 'postgres', (query) => query.forKeyShare())
        .executeTakeFirst();
      if (found === undefined) return false;
      const claimed_by = this.#claimant.id;
      await transaction
        .insertInto('knowledge_evaluations')
        .values({ ...toRow(evaluation), claimed_by })
        .execute();
      const named = transaction
        .selectFrom('knowledge_collections')
        .select('evaluation_uuid')
        .where('knowledge_base_uuid', '=', base)
        .where('evaluation_uuid', 'is not', null);
      const ofBase = transaction
        .selectFrom('knowledge_evaluations')
        .select('uuid')
        .where('knowledge_base_uuid', '=', base);
      const newest = await ofBase.orderBy('created_at', 'desc').orderBy('uuid', 'desc').limit(keep).execute();
      await transaction
        .deleteFrom('knowledge_evaluations')
        .where('knowledge_base_uuid', '=', base)
        .where('state', '!=', 'running')
        .where(
          'uuid',
          'not in',
          newest.map(({ uuid }) => uuid),
        )
        .where('uuid', 'not in', named)
        .execute();
      return true;
    });
  }

  async end(evaluation: Evaluation): Promise<boolean> {
    const { state, figures, results, error, finished_at } = toRow(evaluation);
    const { numUpdatedRows } = await this.#database
      .updateTable('knowledge_evaluations')
      .set({ state, figures, results, error, finished_at, claimed_by: null })
      .where('uuid', '=', evaluation.uuid)
      .where('claimed_by', '=', this.#claimant.id)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  recover(): Promise<void> {
    return this.#database.transaction().execute((transaction) => this.takeOver(transaction));
  }

  async takeOver(transaction: Transaction<Tables>): Promise<void> {
    await transaction
      .updateTable('knowledge_evaluations')
      .set({ state: 'failed', error: 'interrupted by a restart', finished_at: now(), claimed_by: null })
      .where('state', '=', 'running')
      .where(isAbandoned<'knowledge_evaluations'>('knowledge_evaluations.claimed_by'))
      .execute();
  }
}

function toRow({ figures, results, ...columns }: Evaluation): EvaluationRow {
  return {
    ...columns,
    figures: figures === null ? null : JSON.stringify(figures),
    results: JSON.stringify(results satisfies QuestionResult[]),
  };
}

function toSummary(row: Omit<EvaluationRow, 'results'>): EvaluationSummary {
  return {
    ...row,
    figures: row.figures === null ? null : (JSON.parse(row.figures) as Evaluation['figures']),
  };
}
