import type { Client } from 'pg';
import { StorageError } from '../lib/storage-error.ts';
import { inTime } from '../lib/waiting.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { classified } from './classify-error.ts';

/** The row of the process that owns the database, or owned it last. */
export interface OwnerRow {
  owner: string;
  /** Counts the owners. */
  term: number;
  /** 1 when the owner has released the database. */
  is_released: number;
}

/** Error code: the server has not answered in time. */
const noAnswer = 'no_answer';

/** Whether a call failed because the server has not answered in time. */
export function isSilent(error: unknown): boolean {
  return error instanceof StorageError && error.code === noAnswer;
}

/** The process of the PostgreSQL server that serves a connection. */
interface Backend {
  pid: number;
  /** When it was started: numbers of processes are used again. */
  started: string;
}

export interface OwnerSessionOptions {
  /** Longest wait for a connection, milliseconds. */
  connectMs: number;
  /** Longest wait for an answer on it, milliseconds. */
  answerMs: number;
}

/**
 * The connection that holds the ownership lock. The lock ends with the connection.
 * Every method throws a `StorageError` when the server does not answer in time.
 */
export class OwnerSession {
  readonly #client: Client;
  readonly #answerMs: number;
  readonly backend: Backend;

  private constructor(client: Client, answerMs: number, backend: Backend) {
    this.#client = client;
    this.#answerMs = answerMs;
    this.backend = backend;
  }

  static async open(url: string, options: OwnerSessionOptions): Promise<OwnerSession> {
    const { default: postgres } = await import('pg');
    const client = new postgres.Client({
      connectionString: url,
      connectionTimeoutMillis: options.connectMs,
      application_name: 'parley lock',
      keepAlive: true,
    });
    // Without a listener, a lost connection would end the process.
    client.on('error', () => {});
    const cut = () => client.connection.stream.destroy();
    try {
      await classified(() => client.connect());
      const { rows } = await answered(
        client.query<Backend>(
          `select pid, cast(extract(epoch from backend_start) as text) as started
           from pg_stat_activity where pid = pg_backend_pid()`,
        ),
        options.answerMs,
      );
      if (rows[0] === undefined) throw new StorageError('unreachable', 'The server does not list the connection');
      return new OwnerSession(client, options.answerMs, rows[0]);
    } catch (error) {
      cut();
      throw error;
    }
  }

  /** Calls a listener once when the connection ends, whichever side ends it. */
  onEnd(listener: () => void): void {
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      listener();
    };
    this.#client.on('error', end);
    this.#client.on('end', end);
  }

  async ping(): Promise<void> {
    await this.#rows('select 1');
  }

  async tryLock(): Promise<boolean> {
    const [row] = await this.#rows<{ locked: boolean }>(
      `select pg_try_advisory_lock(${advisoryLocks.database}) as locked`,
    );
    return row?.locked === true;
  }

  async unlock(): Promise<void> {
    await this.#rows(`select pg_advisory_unlock(${advisoryLocks.database})`);
  }

  /** Null when the database has had no owner, as far as this server knows. */
  async readOwner(): Promise<OwnerRow | null> {
    const [{ found } = { found: false }] = await this.#rows<{ found: boolean }>(
      "select to_regclass('service_owner') is not null as found",
    );
    if (!found) return null;
    const [row] = await this.#rows<OwnerRow>('select owner, term, is_released from service_owner where id = 1');
    return row ?? null;
  }

  async writeOwner({ owner, term, is_released }: OwnerRow): Promise<void> {
    await this.#rows(
      `insert into service_owner (id, owner, term, is_released) values (1, $1, $2, $3)
       on conflict (id) do update set owner = excluded.owner, term = excluded.term, is_released = excluded.is_released`,
      [owner, term, is_released],
    );
  }

  /** Ends the session of an earlier connection of this process, which may still hold the lock. */
  async terminate({ pid, started }: Backend): Promise<void> {
    await this.#rows(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where pid = $1 and cast(extract(epoch from backend_start) as text) = $2`,
      [pid, started],
    );
  }

  /** Ends the connection, and with it the lock. Never fails. */
  async close(): Promise<void> {
    const ended = this.#client.end().catch(() => {});
    await inTime(ended, this.#answerMs, () => this.cut());
  }

  /** Ends the connection at once, without a word to the server. */
  cut(): void {
    this.#client.connection.stream.destroy();
  }

  async #rows<Row extends object = object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await answered(this.#client.query<Row>(text, values), this.#answerMs)).rows;
  }
}

async function answered<Result>(query: Promise<Result>, milliseconds: number): Promise<Result> {
  return classified(() =>
    inTime(query, milliseconds, (): never => {
      throw new StorageError('unreachable', `The server has not answered for ${milliseconds / 1000} s`, {
        code: noAnswer,
      });
    }),
  );
}
