import { execFile } from 'node:child_process';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { HealthCheck } from '../../../server/test/deployment/compose-file.ts';

const run = promisify(execFile);

/** What the checks of a service found so far. */
export interface Health {
  checks: number;
  /** How often it became unhealthy, as Docker counts. */
  unhealthy: number;
}

/** Runs the health checks of services, as Docker does. */
export class HealthChecks {
  readonly #found = new Map<string, Health>();
  readonly #end = new AbortController();
  readonly #watching: Promise<void>[] = [];
  readonly #resting = new Set<string>();
  readonly #environment: Record<string, string>;

  /** @param environment variables of the checks */
  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  /** Waits until a service is healthy. @throws Error once Docker would call it unhealthy */
  async healthy(service: string, check: HealthCheck): Promise<void> {
    const deadline = performance.now() + check.startPeriod + check.retries * check.interval;
    for (;;) {
      const fault = await this.#fault(check);
      if (fault === null) return;
      if (performance.now() > deadline) throw new Error(`${service} is not healthy: ${fault}`);
      await delay(500);
    }
  }

  /** Checks a service until {@link close}. */
  watch(service: string, check: HealthCheck): void {
    const found: Health = { checks: 0, unhealthy: 0 };
    this.#found.set(service, found);
    const watching = async () => {
      let failures = 0;
      while (!this.#end.signal.aborted) {
        const fault = await this.#fault(check);
        found.checks += 1;
        failures = fault === null || this.#resting.has(service) ? 0 : failures + 1;
        if (failures === check.retries) found.unhealthy += 1;
        await delay(check.interval, undefined, { signal: this.#end.signal }).catch(() => undefined);
      }
    };
    this.#watching.push(watching());
  }

  /** Failures of a service do not count while it is stopped on purpose. */
  rest(service: string): void {
    this.#resting.add(service);
  }

  resume(service: string): void {
    this.#resting.delete(service);
  }

  async close(): Promise<Health> {
    this.#end.abort();
    await Promise.all(this.#watching);
    const all = [...this.#found.values()];
    const sum = (of: keyof Health) => all.reduce((total, one) => total + one[of], 0);
    return { checks: sum('checks'), unhealthy: sum('unhealthy') };
  }

  /** @returns null when the check succeeds, else why not */
  async #fault({ command: [program = '', ...args], timeout }: HealthCheck): Promise<string | null> {
    const env = { ...process.env, ...this.#environment };
    return await run(program === 'node' ? process.execPath : program, args, { timeout, env }).then(
      () => null,
      (error: NodeJS.ErrnoException & { stderr?: string }) => {
        if (error.code === 'ENOENT') throw new Error(`${program} is not installed, with which health is checked`);
        return `${error.message} ${error.stderr ?? ''}`;
      },
    );
  }
}
