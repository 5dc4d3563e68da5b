import type { RawBuilder } from 'kysely';

/** Runs a query. All queries of one piece of work see the same moment of the database. */
export type RunQuery = <Row>(query: RawBuilder<Row>) => Promise<Row[]>;
