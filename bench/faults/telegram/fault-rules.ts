import type { FaultAction, FaultRule, MethodKind } from '../record.ts';

interface ActiveRule extends FaultRule {
  /** When it ends, `performance.now()`. */
  until: number;
  left: number;
}

/** A fault that a request meets. */
export interface MetFault {
  action: FaultAction;
  /** Whole seconds until its rule ends, at least 1. */
  secondsLeft: number;
}

/** The faults that are in force. The first that matches a request is met. */
export class FaultRules {
  #rules: ActiveRule[] = [];

  set(rules: readonly FaultRule[]): void {
    const now = performance.now();
    this.#rules = rules.map((rule) => ({
      ...rule,
      until: now + (rule.forMs ?? Number.POSITIVE_INFINITY),
      left: rule.times ?? Number.POSITIVE_INFINITY,
    }));
  }

  meet(bot: string, chat: number | null, kind: MethodKind): MetFault | null {
    const now = performance.now();
    this.#rules = this.#rules.filter(({ until, left }) => until > now && left > 0);
    const met = this.#rules.find(
      (rule) =>
        (rule.bot ?? bot) === bot &&
        (rule.chats === undefined || (chat !== null && rule.chats.includes(chat))) &&
        (rule.methods === undefined || rule.methods.includes(kind)) &&
        (rule.share === undefined || Math.random() < rule.share),
    );
    if (met === undefined) return null;
    met.left -= 1;
    const secondsLeft = Number.isFinite(met.until) ? Math.max(1, Math.ceil((met.until - now) / 1000)) : 1;
    return { action: met.action, secondsLeft };
  }
}
