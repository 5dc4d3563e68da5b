import type { Config } from '../config/index.ts';
import { pause } from '../lib/waiting.ts';
import type { Replica } from '../storage/replicas/replica.ts';
import type { ServiceState } from './http.ts';
import type { SharedParts } from './parts.ts';

interface DrainParts {
  config: Pick<Config, 'drainSeconds'>;
  state: Pick<ServiceState, 'isServing' | 'isDraining'>;
  logger: SharedParts['logger'];
}

/**
 * The time between the request to stop and the stop: other replicas take the bots over, and load balancers learn to send
 * requests to these, while this one still answers.
 */
export class Drain {
  readonly #replica: Replica;
  readonly #parts: DrainParts;
  readonly #skipped = new AbortController();
  readonly #leaving = new AbortController();
  #hasOthers = false;

  constructor({ replica }: { replica: Replica }, parts: DrainParts) {
    this.#replica = replica;
    this.#parts = parts;
    replica.onBeat(({ replicas }) => {
      this.#hasOthers = replicas.some(({ state }) => state === 'live');
    });
  }

  /** Aborted when clients that stay connected have to connect to another replica. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Whether others take what this replica gives away: without one, a stop has nothing to wait for. */
  get isUseful(): boolean {
    return this.#parts.state.isServing && this.#replica.mayWork && this.#hasOthers;
  }

  /** Does not wait any longer. */
  skip(): void {
    this.#skipped.abort();
  }

  /** Hands over, and waits. */
  async run(): Promise<void> {
    const { config, state, logger } = this.#parts;
    state.isDraining = true;
    this.#replica.drain();
    logger.info({ seconds: config.drainSeconds }, 'draining: bots go to other replicas, requests are still answered');
    await pause(config.drainSeconds * 1000, this.#skipped.signal);
    this.#leaving.abort();
  }
}
