import { CompiledQuery, type SchemaModule } from 'kysely';
import type { Engine } from '../engine.ts';
import { key, required } from './columns.ts';
import type { Migration } from './migration.ts';

type Event = 'insert' | 'update' | 'delete';

/** Rows whose change raises a number. */
interface Change {
  table: string;
  event: Event;
  /** For some rows only. */
  condition?: string;
  raises: 'record_version' | 'history_revision';
}

const events: readonly Event[] = ['insert', 'update', 'delete'];

/** Records that messages are processed with. None of these tables is written but when an operator changes a record. */
const records = ['bots', 'pipelines', 'providers', 'models', 'model_prices'];

/** A message that ended changes only by a late report of the platform, a retry, retention, or by hand. */
const hasEnded = "old.state in ('answered', 'uncertain', 'finished', 'failed', 'stopped')";

const changes: readonly Change[] = [
  ...records.flatMap((table) => events.map((event) => ({ table, event, raises: 'record_version' as const }))),
  ...events.map((event) => ({
    table: 'metadata',
    event,
    condition: `${event === 'delete' ? 'old' : 'new'}.key = 'sensitive_words'`,
    raises: 'record_version' as const,
  })),
  { table: 'messages', event: 'update', condition: hasEnded, raises: 'history_revision' },
  { table: 'messages', event: 'delete', condition: hasEnded, raises: 'history_revision' },
];

const raising: Readonly<Record<Change['raises'], string>> = {
  record_version: 'update record_version set version = version + 1',
  history_revision:
    'update conversations set history_revision = history_revision + 1 where uuid = old.conversation_uuid',
};

function nameOf({ table, event, raises }: Change): string {
  return `${table}_${event}_raises_${raises}`;
}

function sqliteTrigger(change: Change): string {
  const { table, event, condition, raises } = change;
  const when = condition === undefined ? '' : `when ${condition} `;
  return `create trigger ${nameOf(change)} after ${event} on ${table} ${when}begin ${raising[raises]}; end`;
}

const postgresFunctions = Object.entries(raising).map(
  ([name, statement]) => `create function raise_${name}() returns trigger language plpgsql as $$
  begin
    ${statement};
    return null;
  end $$`,
);

/**
 * Deferred to the commit, so that the row of the number is locked last: locked in between, it could deadlock with another
 * transaction that changes a record.
 */
function postgresTrigger(change: Change): string {
  const { table, event, condition, raises } = change;
  const when = condition === undefined ? '' : `when (${condition}) `;
  return `create constraint trigger ${nameOf(change)} after ${event} on ${table}
    deferrable initially deferred for each row ${when}execute function raise_${raises}()`;
}

function triggers(engine: Engine): { compile(): CompiledQuery }[] {
  const statements =
    engine === 'sqlite' ? changes.map(sqliteTrigger) : [...postgresFunctions, ...changes.map(postgresTrigger)];
  return statements.map((statement) => ({ compile: () => CompiledQuery.raw(statement) }));
}

function tables(schema: SchemaModule) {
  return [
    schema.createTable('record_version').addColumn('id', 'integer', key).addColumn('version', 'bigint', required),
    { compile: () => CompiledQuery.raw('insert into record_version (id, version) values (1, 1)') },
    schema
      .alterTable('conversations')
      .addColumn('history_revision', 'integer', (column) => column.notNull().defaultTo(0)),
    // The version replaces one that the program itself wrote beside the list.
    { compile: () => CompiledQuery.raw("delete from metadata where key = 'sensitive_words_version'") },
  ];
}

/**
 * What tells memory that it is out of date: a version of all records, and a revision of what was said in each
 * conversation. Triggers raise both with the change itself, whichever program makes it.
 */
export const recordVersion: Migration = {
  name: '0027-record-version',
  statements: (schema, engine) => [...tables(schema), ...triggers(engine)],
};
