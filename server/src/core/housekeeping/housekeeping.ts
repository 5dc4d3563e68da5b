import type { Logger } from '@parley/sdk';

/** Removes something that is no longer wanted: at most `limit` of it. @returns how many it removed */
export type Chore = (limit: number) => Promise<number>;

/** How often everything is looked through, milliseconds. */
const interval = 3_600_000;
/** Batch size of a deletion, so that nothing else waits long for the database. */
const batch = 500;

/** Deletes data past its retention time: at start, and every hour. */
export class Housekeeping {
  readonly #chores: Readonly<Record<string, Chore>>;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  /** @param chores by name, for the log */
  constructor(chores: Readonly<Record<string, Chore>>, logger: Logger) {
    this.#chores = chores;
    this.#logger = logger;
  }

  start(): void {
    if (this.#stopped) return;
    this.#running = this.#run();
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#run());
    }, interval);
    this.#timer.unref();
  }

  /** Waits for the running batch. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const [name, chore] of Object.entries(this.#chores)) {
      try {
        // One that removed less than it might have is done.
        while (!this.#stopped && (await chore(batch)) >= batch);
      } catch (error) {
        this.#logger.error({ chore: name, error }, 'housekeeping failed');
      }
    }
  }
}
