import type { RawBuilder } from 'kysely';

/** Runs a query. All queries of one task see the same snapshot of the database. */
export type RunQuery = <Row>(query: RawBuilder<Row>) => Promise<Row[]>;
