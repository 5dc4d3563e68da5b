import type { Selectable, Transaction } from 'kysely';
import type { Alert, AlertFacts, AlertNotice, EndReason } from '../../core/alerts/alert.ts';
import type { StoredAlertRule } from '../../core/alerts/alert-rule.ts';
import type {
  AlertStore,
  DueNotice,
  NewAlert,
  NoticeProgress,
  OpenAlert,
  ReadNotice,
} from '../../core/alerts/alert-store.ts';
import type { StoredAlertTarget } from '../../core/alerts/alert-target.ts';
import { present } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { isAbandoned, type TakesOver } from '../replicas/replica-rows.ts';
import { columnsOf, type WholeRow } from '../table-columns.ts';

type RuleRow = Selectable<Tables['alert_rules']>;
type TargetRow = Selectable<Tables['alert_targets']>;
type NoticeRow = WholeRow<'alert_notices'>;
type AlertRow = Selectable<Tables['alerts']>;

interface Times {
  now: number;
  expires_at: number;
}

export class KyselyAlertStore implements AlertStore, TakesOver {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #claimant: Claimant;

  constructor(database: Database, engine: Engine, claimant: Claimant) {
    this.#database = database;
    this.#engine = engine;
    this.#claimant = claimant;
  }

  async rules(): Promise<StoredAlertRule[]> {
    const rows = await this.#database
      .selectFrom('alert_rules')
      .select(columnsOf('alert_rules'))
      .orderBy('uuid')
      .execute();
    return rows.map(toRule);
  }

  async rule(uuid: string): Promise<StoredAlertRule | null> {
    const row = await this.#database
      .selectFrom('alert_rules')
      .select(columnsOf('alert_rules'))
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    return row === undefined ? null : toRule(row);
  }

  createRule(rule: StoredAlertRule, maximum: number): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      if ((await countOf(transaction, 'alert_rules')) >= maximum) return false;
      await transaction.insertInto('alert_rules').values(ruleColumns(rule)).execute();
      return true;
    });
  }

  updateRule(
    uuid: string,
    change: (stored: StoredAlertRule) => Partial<StoredAlertRule>,
  ): Promise<StoredAlertRule | null> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('alert_rules')
        .select(columnsOf('alert_rules'))
        .where('uuid', '=', uuid)
        .$if(this.#engine === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst();
      if (row === undefined) return null;
      const stored = toRule(row);
      const next = { ...stored, ...change(stored) };
      await transaction.updateTable('alert_rules').set(ruleColumns(next)).where('uuid', '=', uuid).execute();
      return next;
    });
  }

  async deleteRule(uuid: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('alert_rules')
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async setHeld(uuid: string, held_ms: number): Promise<void> {
    await this.#database.updateTable('alert_rules').set({ held_ms }).where('uuid', '=', uuid).execute();
  }

  async targets(): Promise<StoredAlertTarget[]> {
    const rows = await this.#database
      .selectFrom('alert_targets')
      .select(columnsOf('alert_targets'))
      .orderBy('uuid')
      .execute();
    return rows.map(toTarget);
  }

  async target(uuid: string): Promise<StoredAlertTarget | null> {
    const row = await this.#database
      .selectFrom('alert_targets')
      .select(columnsOf('alert_targets'))
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    return row === undefined ? null : toTarget(row);
  }

  createTarget(target: StoredAlertTarget, maximum: number): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      if ((await countOf(transaction, 'alert_targets')) >= maximum) return false;
      await transaction.insertInto('alert_targets').values(targetColumns(target)).execute();
      return true;
    });
  }

  updateTarget(
    uuid: string,
    change: (stored: StoredAlertTarget) => Partial<StoredAlertTarget>,
  ): Promise<StoredAlertTarget | null> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('alert_targets')
        .select(columnsOf('alert_targets'))
        .where('uuid', '=', uuid)
        .$if(this.#engine === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst();
      if (row === undefined) return null;
      const stored = toTarget(row);
      const next = { ...stored, ...change(stored) };
      await transaction.updateTable('alert_targets').set(targetColumns(next)).where('uuid', '=', uuid).execute();
      return next;
    });
  }

  deleteTarget(uuid: string, now: number): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('alert_targets')
        .where('uuid', '=', uuid)
        .executeTakeFirst();
      if (numDeletedRows !== 1n) return false;
      await transaction
        .updateTable('alert_notices')
        .set({ state: 'failed', due_at: null, error: 'The target was deleted', finished_at: timestampOf(now) })
        .where('target_uuid', '=', uuid)
        .where('state', '=', 'pending')
        .execute();
      return true;
    });
  }

  async openAlerts(): Promise<OpenAlert[]> {
    const rows = await this.#database
      .selectFrom('alerts')
      .select(['id', 'rule_uuid', 'rule_name', 'kind', 'facts'])
      .where('ended_at', 'is', null)
      .execute();
    return rows.map((row) => ({ ...row, id: Number(row.id), facts: factsOf(row) }));
  }

  begin({ targets, facts, ...alert }: NewAlert, times: Times): Promise<void> {
    return this.#database.transaction().execute(async (transaction) => {
      const made = await transaction
        .insertInto('alerts')
        .values({ ...alert, facts: JSON.stringify(facts), ended_at: null, end_reason: null })
        .onConflict((conflict) => conflict.column('rule_uuid').where('ended_at', 'is', null).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (made === undefined) return;
      await transaction.updateTable('alert_rules').set({ held_ms: 0 }).where('uuid', '=', alert.rule_uuid).execute();
      const known = targets.length === 0 ? [] : await namedTargets(transaction, targets);
      await addNotices(transaction, 'started', known, { ...times, facts, alert_id: Number(made.id) });
    });
  }

  async setFacts(id: number, facts: AlertFacts): Promise<void> {
    await this.#database
      .updateTable('alerts')
      .set({ facts: JSON.stringify(facts) })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .execute();
  }

  end(
    id: number,
    { ended_at, end_reason, facts }: { ended_at: string; end_reason: EndReason; facts: AlertFacts },
    times: Times,
  ): Promise<void> {
    return this.#database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('alerts')
        .set({ ended_at, end_reason })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return;
      const notified = await transaction
        .selectFrom('alert_notices')
        .innerJoin('alert_targets', 'alert_targets.uuid', 'alert_notices.target_uuid')
        .select(['alert_targets.uuid', 'alert_targets.name', 'alert_targets.kind'])
        .where('alert_id', '=', id)
        .where('event', '=', 'started')
        .execute();
      await addNotices(transaction, 'ended', notified, { ...times, facts, alert_id: id });
    });
  }

  async alerts({
    isOpen,
    limit,
    before,
  }: {
    isOpen?: boolean | undefined;
    limit: number;
    before: number | null;
  }): Promise<Alert[]> {
    const rows = await this.#database
      .selectFrom('alerts')
      .select(columnsOf('alerts'))
      .$if(isOpen !== undefined, (query) => query.where('ended_at', isOpen ? 'is' : 'is not', null))
      .$if(before !== null, (query) => query.where('id', '<', before))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return this.#withNotices(rows);
  }

  async alert(id: number): Promise<Alert | null> {
    const rows = await this.#database.selectFrom('alerts').select(columnsOf('alerts')).where('id', '=', id).execute();
    return (await this.#withNotices(rows))[0] ?? null;
  }

  async #withNotices(rows: AlertRow[]): Promise<Alert[]> {
    const ids = rows.map(({ id }) => id);
    const notices =
      ids.length === 0
        ? []
        : await this.#database
            .selectFrom('alert_notices')
            .select(columnsOf('alert_notices'))
            .where('alert_id', 'in', ids)
            .orderBy('uuid')
            .execute();
    return rows.map((row) => ({
      ...row,
      id: Number(row.id),
      facts: factsOf(row),
      notices: notices.filter(({ alert_id }) => Number(alert_id) === Number(row.id)).map(toNotice),
    }));
  }

  recoverNotices(now: number): Promise<void> {
    return this.#database.transaction().execute((transaction) => this.#takeOver(transaction, now));
  }

  takeOver(transaction: Transaction<Tables>): Promise<void> {
    return this.#takeOver(transaction, present());
  }

  async #takeOver(transaction: Transaction<Tables>, now: number): Promise<void> {
    const interrupted = transaction
      .updateTable('alert_notices')
      .where('state', '=', 'sending')
      .where(isAbandoned<'alert_notices'>('alert_notices.claimed_by'));
    await interrupted
      .where('target_kind', '=', 'chat')
      .set({
        state: 'uncertain',
        error: 'The server stopped while it was being sent',
        finished_at: timestampOf(now),
        claimed_by: null,
      })
      .execute();
    await interrupted.set({ state: 'pending', due_at: now, claimed_by: null }).execute();
  }

  async dueNotices(now: number, farFuture: number, limit: number): Promise<DueNotice[]> {
    const rows = await this.#database
      .selectFrom('alert_notices')
      .innerJoin('alerts', 'alerts.id', 'alert_notices.alert_id')
      .select(['alert_notices.uuid', 'event', 'target_uuid', 'attempts', 'expires_at', 'alert_notices.facts'])
      .select(['alerts.id', 'rule_uuid', 'rule_name', 'kind', 'started_at', 'ended_at', 'end_reason'])
      .where('due_at', 'is not', null)
      .where((where) => where.or([where('due_at', '<=', now), where('due_at', '>', farFuture)]))
      .where((where) =>
        where.or([
          where('event', '=', 'started'),
          where.not(
            where.exists(
              where
                .selectFrom('alert_notices as first')
                .select('first.uuid')
                .whereRef('first.alert_id', '=', 'alert_notices.alert_id')
                .whereRef('first.target_uuid', '=', 'alert_notices.target_uuid')
                .where('first.event', '=', 'started')
                .where('first.state', 'in', ['pending', 'sending']),
            ),
          ),
        ]),
      )
      .orderBy('due_at')
      .orderBy('alert_notices.uuid')
      .limit(limit)
      .execute();
    return rows.map(({ uuid, event, target_uuid, attempts, expires_at, facts, ...alert }) => ({
      uuid,
      event,
      target_uuid,
      attempts,
      expires_at: Number(expires_at),
      facts: JSON.parse(facts) as AlertFacts,
      alert: { ...alert, id: Number(alert.id) },
    }));
  }

  async nextDue(): Promise<number | null> {
    const { due } = await this.#database
      .selectFrom('alert_notices')
      .select(({ fn }) => fn.min('due_at').as('due'))
      .where('due_at', 'is not', null)
      .executeTakeFirstOrThrow();
    return due === null ? null : Number(due);
  }

  async claimNotice({ uuid, attempts }: ReadNotice): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('alert_notices')
      .set({ state: 'sending', due_at: null, attempts: attempts + 1, claimed_by: this.#claimant.id })
      .where('uuid', '=', uuid)
      .where('state', '=', 'pending')
      .where('attempts', '=', attempts)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async settleNotice(
    { uuid, attempts }: ReadNotice,
    { state, due_at, error }: NoticeProgress,
    now: number,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('alert_notices')
      .set({ state, due_at, error, finished_at: state === 'pending' ? null : timestampOf(now), claimed_by: null })
      .where('uuid', '=', uuid)
      .where('state', '=', 'sending')
      .where('claimed_by', '=', this.#claimant.id)
      .where('attempts', '=', attempts + 1)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async hurryNotices(targetUuid: string, now: number): Promise<void> {
    await this.#database
      .updateTable('alert_notices')
      .set({ due_at: now })
      .where('target_uuid', '=', targetUuid)
      .where('state', '=', 'pending')
      .execute();
  }

  async removeBefore(timestamp: string, limit: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('alerts')
      .where(
        'id',
        'in',
        this.#database
          .selectFrom('alerts')
          .select('id')
          .where('ended_at', '<', timestamp)
          .orderBy('ended_at')
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}

async function countOf(transaction: Transaction<Tables>, table: 'alert_rules' | 'alert_targets'): Promise<number> {
  const { count } = await transaction
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

type NamedTarget = Pick<StoredAlertTarget, 'uuid' | 'name' | 'kind'>;

function namedTargets(transaction: Transaction<Tables>, uuids: readonly string[]): Promise<NamedTarget[]> {
  return transaction.selectFrom('alert_targets').select(['uuid', 'name', 'kind']).where('uuid', 'in', uuids).execute();
}

async function addNotices(
  transaction: Transaction<Tables>,
  event: AlertNotice['event'],
  targets: readonly NamedTarget[],
  { now, expires_at, facts, alert_id }: Times & { facts: AlertFacts; alert_id: number },
): Promise<void> {
  if (targets.length === 0) return;
  await transaction
    .insertInto('alert_notices')
    .values(
      targets.map(({ uuid, name, kind }) => ({
        uuid: newUuid(),
        alert_id,
        event,
        target_uuid: uuid,
        target_name: name,
        target_kind: kind,
        facts: JSON.stringify(facts),
        state: 'pending' as const,
        attempts: 0,
        due_at: now,
        expires_at,
        error: null,
        created_at: timestampOf(now),
        finished_at: null,
      })),
    )
    .execute();
}

function timestampOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function factsOf({ facts }: { facts: string }): AlertFacts {
  return JSON.parse(facts) as AlertFacts;
}

function toRule(row: RuleRow): StoredAlertRule {
  return {
    ...row,
    enabled: row.enabled === 1,
    parameters: JSON.parse(row.parameters) as StoredAlertRule['parameters'],
    targets: JSON.parse(row.targets) as string[],
    held_ms: Number(row.held_ms),
  };
}

function ruleColumns({ enabled, parameters, targets, ...rule }: StoredAlertRule) {
  return {
    ...rule,
    enabled: Number(enabled),
    parameters: JSON.stringify(parameters),
    targets: JSON.stringify(targets),
  };
}

function toTarget(row: TargetRow): StoredAlertTarget {
  return { ...row, config: JSON.parse(row.config) as StoredAlertTarget['config'] };
}

function targetColumns({ config, ...target }: StoredAlertTarget) {
  return { ...target, config: JSON.stringify(config) };
}

function toNotice({ alert_id: _, facts: __, due_at, expires_at: ___, ...notice }: NoticeRow): AlertNotice {
  return { ...notice, next_attempt_at: due_at === null ? null : timestampOf(Number(due_at)) };
}
