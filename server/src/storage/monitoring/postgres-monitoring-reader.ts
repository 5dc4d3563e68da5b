import type { MonitoringReader } from '../../core/monitoring/monitoring-reader.ts';
import type { CountedHours } from '../../core/monitoring/rollup-store.ts';
import type { Database } from '../database.ts';
import { MonitoringQueries } from './monitoring-queries.ts';

/** Reads a PostgreSQL database, each time in a transaction with a consistent snapshot. */
export class PostgresMonitoringReader implements MonitoringReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  readonly sums: MonitoringReader['sums'] = (query) => this.#read((queries) => queries.sums(query));
  readonly activeSessions: MonitoringReader['activeSessions'] = (filter) =>
    this.#read((queries) => queries.activeSessions(filter));
  readonly page: MonitoringReader['page'] = (query) => this.#read((queries) => queries.page(query));
  readonly batch: MonitoringReader['batch'] = (query) => this.#read((queries) => queries.batch(query));
  readonly messageDetails: MonitoringReader['messageDetails'] = (uuid) =>
    this.#read((queries) => queries.messageDetails(uuid));
  readonly sessionStory: MonitoringReader['sessionStory'] = (id, filter, activeSince) =>
    this.#read((queries) => queries.sessionStory(id, filter, activeSince));
  readonly feedbackCounts: MonitoringReader['feedbackCounts'] = (filter) =>
    this.#read((queries) => queries.feedbackCounts(filter));
  readonly usageOfCallers: MonitoringReader['usageOfCallers'] = (filter) =>
    this.#read((queries) => queries.usageOfCallers(filter));
  readonly names: MonitoringReader['names'] = (of) => this.#read((queries) => queries.names(of));
  readonly countHours = (hours: readonly string[]): Promise<CountedHours> =>
    this.#read((queries) => queries.countHours(hours));

  async close(): Promise<void> {}

  #read<Result>(work: (queries: MonitoringQueries) => Promise<Result>): Promise<Result> {
    return this.#database
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((transaction) =>
        work(new MonitoringQueries(async (query) => (await query.execute(transaction)).rows, 'postgres')),
      );
  }
}
