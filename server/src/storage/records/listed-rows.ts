import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { NamedRecord, RecordListing } from '../../core/records/record-listing.ts';
import type { Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { unicodeLower } from '../unicode-lower.ts';

/** What a list can be searched and sorted by, as columns of its query. */
export interface ListColumns {
  id: string;
  name: string;
  /** Texts that a search looks through. */
  searched: readonly string[];
  /** By the name of the order. Texts are sorted without regard to capitals. */
  sorted: Readonly<Record<string, { column: string; isText?: true }>>;
}

/** Reads one page of a list, and counts its matches. */
export async function listedRows<Table extends keyof Tables, Row>(
  engine: Engine,
  query: SelectQueryBuilder<Tables, Table, Row>,
  columns: ListColumns,
  listing: RecordListing,
): Promise<{ rows: Row[]; total: number }> {
  const matching = matches(engine, query, columns, listing);
  const { limit, offset = 0, sort_by = '', descending = false } = listing;
  const direction = descending ? sql`desc` : sql`asc`;
  const order = columns.sorted[sort_by];
  const page = matching
    .$if(order !== undefined, (rows) =>
      rows.orderBy(sql`${orderOf(engine, order)} ${direction} ${nullsOf(descending)}`),
    )
    // Rows that are equal otherwise have an order, too, so that no page repeats or leaves out any.
    .orderBy(sql`${sql.ref(columns.id)} ${direction}`)
    // SQLite has no offset without a limit.
    .$if(limit !== undefined || offset > 0, (rows) => rows.limit(limit ?? mostRows).offset(offset));
  const [rows, counted] = await Promise.all([
    page.execute(),
    matching.clearSelect().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows: rows as Row[], total: Number(counted.total) };
}

/** The ids and names of all matches, by id. */
export async function namedRows<Table extends keyof Tables, Row, Id extends string | number = string>(
  engine: Engine,
  query: SelectQueryBuilder<Tables, Table, Row>,
  columns: ListColumns,
  listing: Pick<RecordListing, 'search' | 'ids'>,
): Promise<NamedRecord<Id>[]> {
  return matches(engine, query, columns, listing)
    .clearSelect()
    .select([sql<Id>`${sql.ref(columns.id)}`.as('id'), sql<string>`${sql.ref(columns.name)}`.as('name')])
    .orderBy(sql.ref(columns.id))
    .execute() as Promise<NamedRecord<Id>[]>;
}

/** PostgreSQL takes no larger limit. */
const mostRows = 2_147_483_647;

function matches<Table extends keyof Tables, Row>(
  engine: Engine,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { id, searched }: ListColumns,
  { search, ids }: RecordListing,
) {
  const pattern = `%${(search ?? '').toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  const isFound = sql.join(
    searched.map((column) => sql`${unicodeLower(engine, sql.ref(column))} like ${pattern} escape '\\'`),
    sql` or `,
  );
  return query
    .$if(search !== undefined && search !== '', (rows) => rows.where(sql<SqlBool>`(${isFound})`))
    .$if(ids !== undefined, (rows) =>
      rows.where(
        ids === undefined || ids.length === 0
          ? sql<SqlBool>`1 = 0`
          : sql<SqlBool>`${sql.ref(id)} in (${sql.join(ids)})`,
      ),
    );
}

function orderOf(engine: Engine, order: ListColumns['sorted'][string] | undefined): RawBuilder<unknown> {
  const column = sql.ref(order?.column ?? '');
  return order?.isText ? unicodeLower(engine, column) : column;
}

/** As SQLite has them by default: null is the lowest. */
function nullsOf(descending: boolean): RawBuilder<unknown> {
  return descending ? sql`nulls last` : sql`nulls first`;
}
