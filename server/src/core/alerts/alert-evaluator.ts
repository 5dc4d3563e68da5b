import type { Logger } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import { type LoopDuty, WorkerLoop } from '../../lib/worker-loop.ts';
import { deliveryLifetime } from '../webhooks/delivery-timing.ts';
import type { EndReason } from './alert.ts';
import { type ConditionSources, type Finding, findingOf } from './alert-conditions.ts';
import { missingReferences, type ReferenceReader } from './alert-references.ts';
import type { MissingReference, StoredAlertRule } from './alert-rule.ts';
import type { AlertStore, OpenAlert } from './alert-store.ts';

export interface AlertEvaluatorOptions extends ConditionSources {
  references: ReferenceReader;
  /** Exactly one process evaluates. */
  duty: LoopDuty;
  /** Called when there may be notices to send. */
  noticesDue: () => void;
  logger: Logger;
  /** Time between two rounds, milliseconds. Default 15 000. */
  intervalMs?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Milliseconds of a clock that is never set. */
  elapsed?: () => number;
}

/** An interval may take as much longer before a condition counts as unobserved in between. */
const tolerance = 4;

/**
 * Evaluates rules at an interval: opens an alert when the condition of a rule has held for its minimum duration, and ends
 * it when it holds no longer. The state is in the store, so that a restart neither repeats nor forgets an alert. The
 * duration is measured with a clock that is never set, and counts what was observed only.
 */
export class AlertEvaluator {
  readonly #store: AlertStore;
  readonly #options: Required<AlertEvaluatorOptions>;
  readonly #loop: WorkerLoop;
  /** When the condition of a rule was last found to hold, by `elapsed`. */
  readonly #seenHolding = new Map<string, number>();

  constructor(store: AlertStore, options: AlertEvaluatorOptions) {
    this.#store = store;
    this.#options = { intervalMs: 15_000, now: present, elapsed: () => performance.now(), ...options };
    const { intervalMs, logger } = this.#options;
    this.#loop = new WorkerLoop({
      look: async () => {
        await this.evaluate();
        return intervalMs;
      },
      failed: (error) => logger.error({ error }, 'alert rules could not be evaluated'),
      retryDelayMs: intervalMs,
      duty: options.duty,
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** A rule was changed. */
  wake(): void {
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  /** One round. */
  async evaluate(): Promise<void> {
    const rules = await this.#store.rules();
    const open = new Map((await this.#store.openAlerts()).map((alert) => [alert.rule_uuid, alert]));
    const missing = await missingReferences(rules, this.#options.references);
    for (const rule of rules) {
      if (this.#loop.isStopped) return;
      try {
        await this.#evaluate(rule, open.get(rule.uuid) ?? null, missing.get(rule.uuid) ?? []);
      } catch (error) {
        this.#options.logger.error({ rule: rule.uuid, error }, 'an alert rule could not be evaluated');
      }
      open.delete(rule.uuid);
    }
    for (const alert of open.values()) await this.#end(alert, 'deleted', alert.facts);
  }

  async #evaluate(rule: StoredAlertRule, open: OpenAlert | null, missing: MissingReference[]): Promise<void> {
    const isAbout = missing.some((reference) => reference !== 'target');
    if (!rule.enabled || isAbout) {
      this.#seenHolding.delete(rule.uuid);
      await this.#setHeld(rule, 0);
      if (open !== null) await this.#end(open, rule.enabled ? 'missing' : 'disabled', open.facts);
      return;
    }
    const finding = await findingOf(rule, this.#options, this.#options.now());
    if (open !== null) return this.#continue(open, finding);
    const held = this.#heldSince(rule, finding);
    const isDue = finding.state === 'holds' && held >= rule.minimum_minutes * 60_000;
    if (!isDue || this.#isMuted(rule)) return this.#setHeld(rule, held);
    await this.#begin(rule, finding);
  }

  async #begin({ uuid, name, kind, targets }: StoredAlertRule, { facts }: Finding): Promise<void> {
    const now = this.#options.now();
    const started_at = new Date(now).toISOString();
    const alert = { rule_uuid: uuid, rule_name: name, kind, facts, started_at, targets };
    await this.#store.begin(alert, { now, expires_at: now + deliveryLifetime });
    this.#seenHolding.delete(uuid);
    this.#options.logger.warn({ rule: uuid, kind }, 'an alert began');
    this.#options.noticesDue();
  }

  async #continue(open: OpenAlert, { state, facts }: Finding): Promise<void> {
    if (state === 'over') return this.#end(open, 'over', facts);
    if (state === 'holds' && JSON.stringify(facts) !== JSON.stringify(open.facts)) {
      await this.#store.setFacts(open.id, facts);
    }
  }

  async #end({ id, rule_uuid, kind }: OpenAlert, end_reason: EndReason, facts: OpenAlert['facts']): Promise<void> {
    const now = this.#options.now();
    const ended_at = new Date(now).toISOString();
    await this.#store.end(id, { ended_at, end_reason, facts }, { now, expires_at: now + deliveryLifetime });
    this.#options.logger.info({ rule: rule_uuid, kind, end_reason }, 'an alert ended');
    this.#options.noticesDue();
  }

  /** @returns how long the condition has held, milliseconds */
  #heldSince({ uuid, held_ms }: StoredAlertRule, { state }: Finding): number {
    if (state === 'over') {
      this.#seenHolding.delete(uuid);
      return 0;
    }
    if (state === 'unknown') return held_ms;
    const present = this.#options.elapsed();
    const last = this.#seenHolding.get(uuid);
    this.#seenHolding.set(uuid, present);
    if (last === undefined) return held_ms;
    return held_ms + Math.min(present - last, tolerance * this.#options.intervalMs);
  }

  async #setHeld(rule: StoredAlertRule, held: number): Promise<void> {
    if (Math.round(held) !== rule.held_ms) await this.#store.setHeld(rule.uuid, Math.round(held));
  }

  #isMuted({ muted_until }: StoredAlertRule): boolean {
    return muted_until !== null && Date.parse(muted_until) > this.#options.now();
  }
}
