import { isDeepStrictEqual } from 'node:util';
import { type Logger, ParleyError } from '@parley/sdk';
import pRetry from 'p-retry';
import { now } from '../../lib/clock.ts';
import type { BotState, BotStatus, StoredBot } from './bot.ts';
import type { BotConnection, WantedConnection } from './bot-connection.ts';

/** Pauses between two attempts to read a record after a failure of the store, milliseconds. */
const readPauses = { minTimeout: 200, maxTimeout: 10_000 };

export interface BotSupervisorOptions {
  uuid: string;
  /** Reads the record; null when there is none. */
  read: () => Promise<StoredBot | null>;
  /** The connection that an enabled record requires. @throws ParleyError when it cannot be prepared */
  wantedBy: (record: StoredBot) => WantedConnection;
  /** Whether it is known that its record is enabled. */
  isEnabled: boolean;
  /** Called with each record that was read. @returns whether this replica is the one that connects the bot */
  follow: (record: StoredBot | null) => boolean;
  /**
   * Makes a connection that is not open yet.
   * @param intakeClosed as {@link PlatformContext.intakeClosed}
   */
  connect: (wanted: WantedConnection, changed: (status: BotStatus) => void, intakeClosed: AbortSignal) => BotConnection;
  /** Called with each new state. */
  changed: (status: BotStatus) => void;
  /** Called whenever `isHeld` may have changed. */
  heldChanged: () => void;
  /** Called when the bot was disabled or deleted, and its connection has ended. */
  left: (wasDeleted: boolean) => void;
  logger: Logger;
}

/**
 * Makes the connection of one bot match its record, one reconciliation after the other. Whatever changes the record
 * requests one; requests that arrive while one is pending share it.
 */
export class BotSupervisor {
  readonly #options: BotSupervisorOptions;
  readonly #closing = new AbortController();
  /** Outlives connections: what one of them has received may be stored later. */
  #intake = new AbortController();
  #connection: BotConnection | null = null;
  #status: BotStatus = { state: 'stopped', reason: null, error: null, since: now() };
  #isEnabled: boolean;
  #isWithdrawn = false;
  #turn: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(options: BotSupervisorOptions) {
    this.#options = options;
    this.#isEnabled = options.isEnabled;
  }

  /** Resolves when the connection matches the record and its first attempt has ended, well or not. */
  async apply(): Promise<void> {
    this.#isWithdrawn = false;
    await this.#look();
    await this.#connection?.settled;
  }

  /** Ends the connection at once, whatever the record says, until the next `apply`. */
  withdraw(): Promise<void> {
    this.#isWithdrawn = true;
    this.#connection?.close();
    this.#options.heldChanged();
    return this.#look();
  }

  /** Ends the connection for good, in bounded time. */
  close(): Promise<void> {
    this.#closing.abort();
    this.#closeIntake();
    this.#connection?.close();
    return this.#look();
  }

  get status(): BotStatus {
    return this.#status;
  }

  get connection(): BotConnection | null {
    return this.#connection;
  }

  /** Whether messages for the bot have to wait: it is enabled and not connected. */
  get isHeld(): boolean {
    return this.#isEnabled && this.#connection?.isUp !== true;
  }

  #look(): Promise<void> {
    if (this.#next === null) {
      this.#next = this.#turn.then(async () => {
        this.#next = null;
        await this.#reconcile().catch((error: unknown) => {
          this.#options.logger.error({ bot: this.#options.uuid, error }, 'a bot could not be brought up to its record');
        });
      });
      this.#turn = this.#next;
    }
    return this.#next;
  }

  async #reconcile(): Promise<void> {
    const isOff = this.#isWithdrawn || this.#closing.signal.aborted;
    const record = isOff ? null : await this.#read();
    // Messages of a bot that is ended from outside wait until its record says what to do with them.
    if (!isOff) this.#isEnabled = record?.enable === true;
    if (!isOff && !this.#isEnabled) this.#closeIntake();
    const isHere = !isOff && this.#options.follow(record);
    const wanted = isHere && record?.enable === true ? this.#wantedBy(record) : null;
    const current = this.#connection;
    if (wanted !== null && !(wanted instanceof ParleyError)) {
      if (current?.isClosed === false && isSame(current.wanted, wanted)) return this.#options.heldChanged();
      await this.#replace(current, { state: 'starting' });
      // The last read may be outdated by now, and an unwanted connection must not run.
      if (this.#next !== null) return;
      if (this.#intake.signal.aborted) this.#intake = new AbortController();
      this.#connection = this.#options.connect(wanted, (status) => this.#change(status), this.#intake.signal);
      this.#connection.open();
      return;
    }
    const status = { state: 'error' as const, reason: wanted?.reason ?? null, error: wanted?.message ?? null };
    await this.#replace(current, wanted === null ? { state: 'stopped' } : status);
    if (record?.enable !== true && !isOff && this.#next === null) this.#options.left(record === null);
  }

  #closeIntake(): void {
    this.#intake.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
  }

  async #replace(current: BotConnection | null, status: Partial<BotStatus> & { state: BotState }): Promise<void> {
    this.#connection = null;
    const ended = current?.close();
    this.#change({ reason: null, error: null, since: now(), ...status });
    await ended;
  }

  #change(status: BotStatus): void {
    const { since: _, ...before } = this.#status;
    const { since: __, ...after } = status;
    const isNews = !isDeepStrictEqual(before, after);
    if (isNews) this.#status = status;
    this.#options.heldChanged();
    if (isNews) this.#options.changed(status);
  }

  #wantedBy(record: StoredBot): WantedConnection | ParleyError {
    try {
      return this.#options.wantedBy(record);
    } catch (error) {
      if (error instanceof ParleyError) return error;
      throw error;
    }
  }

  async #read(): Promise<StoredBot | null> {
    const { uuid, read, logger } = this.#options;
    try {
      return await pRetry(read, {
        ...readPauses,
        retries: Number.POSITIVE_INFINITY,
        signal: this.#closing.signal,
        onFailedAttempt: ({ error }) => logger.error({ bot: uuid, error }, 'the record of a bot could not be read'),
      });
    } catch (error) {
      if (this.#closing.signal.aborted) return null;
      throw error;
    }
  }
}

function isSame(left: WantedConnection, right: WantedConnection): boolean {
  return left.platform === right.platform && isDeepStrictEqual(left.config, right.config);
}
