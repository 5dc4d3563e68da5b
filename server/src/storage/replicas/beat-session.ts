import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client } from 'pg';
import { StorageError } from '../../lib/storage-error.ts';
import { inTime } from '../../lib/waiting.ts';
import { classified } from '../classify-error.ts';

/** Error code: the server has not answered in time. */
const noAnswer = 'no_answer';

/** Whether a call failed because the server has not answered in time. */
export function isSilent(error: unknown): boolean {
  return error instanceof StorageError && error.code === noAnswer;
}

/**
 * A connection of a replica for its beat, which must not wait for other work. After each failure the next call makes
 * another one. It keeps nothing in the session, so it may lead to a pooler of transactions.
 */
export class BeatSession {
  readonly #url: string;
  readonly #name: () => string;
  readonly #answerMs: number;
  #client: Client | null = null;

  /**
   * @param name of its connections, for others
   * @param answerMs longest wait for a connection, and for an answer on it, milliseconds
   */
  constructor(url: string, name: () => string, answerMs: number) {
    this.#url = url;
    this.#name = name;
    this.#answerMs = answerMs;
  }

  /**
   * Runs one statement.
   * @param answerMs longest wait for its answer, milliseconds, when it is another one
   * @throws StorageError, also when the server does not answer in time
   */
  async ask<Row extends object>(text: string, values: readonly unknown[], answerMs = this.#answerMs): Promise<Row[]> {
    try {
      const client = this.#client ?? (await this.#connect());
      return (await classified(() => answered(client.query<Row>(text, [...values]), answerMs))).rows;
    } catch (error) {
      this.cut();
      throw error;
    }
  }

  /** Ends the connection at once, without a word to the server. */
  cut(): void {
    this.#client?.connection.stream.destroy();
    this.#client = null;
  }

  /** Ends the connection. Never fails. */
  async close(): Promise<void> {
    const client = this.#client;
    if (client === null) return;
    await inTime(
      client.end().catch(() => {}),
      this.#answerMs,
      () => this.cut(),
    );
    this.#client = null;
  }

  async #connect(): Promise<Client> {
    const { default: postgres } = await import('pg');
    const client = new postgres.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: this.#answerMs,
      application_name: this.#name(),
      keepAlive: true,
    });
    // Without a listener, a lost connection would end the process. The next call fails and makes another one.
    client.on('error', () => {});
    // For `cut`, from now on.
    this.#client = client;
    await classified(() => client.connect());
    return client;
  }
}

async function answered<Result>(query: Promise<Result>, milliseconds: number): Promise<Result> {
  const late = async (): Promise<Result> => {
    // When this process did not run for a while, the answer may be there, and is read after timers.
    await nextTurn();
    await nextTurn();
    return await Promise.race([query, silence(milliseconds)]);
  };
  return await inTime(query, milliseconds, late);
}

/** Rejects after answers that have been read. */
async function silence(milliseconds: number): Promise<never> {
  await nextTurn();
  throw new StorageError('unreachable', `The server has not answered for ${milliseconds / 1000} s`, { code: noAnswer });
}
