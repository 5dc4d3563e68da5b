import { type FakeFault, type FakePause, type FakeRoute, NotOfThisPlatform } from '@parley/sdk/testing';

/** Error of a call; null when it is carried out. */
export interface PlannedError {
  errcode: number;
  errmsg: string;
}

const errors: Partial<Record<FakeFault, PlannedError>> = {
  refused: { errcode: 40058, errmsg: 'invalid request parameter' },
  unknown_target: { errcode: 93006, errmsg: 'invalid chatid' },
  missing_permission: { errcode: 48002, errmsg: 'api forbidden' },
  server_error: { errcode: -1, errmsg: 'system busy' },
};
const tooFast: PlannedError = { errcode: 45009, errmsg: 'api freq out of limit' };

/** Sends that are refused with a rate limit. */
export interface RateLimit {
  route: 'send' | 'edit';
  after: number;
  pause: FakePause;
  times?: number;
}

/** How a planned call goes. */
export type Planned = { error: PlannedError } | { how: 'silence' | 'cut' | 'wrong_body' } | null;

/** Counts calls by route, and makes planned ones fail. */
export class FaultPlan {
  readonly #calls = new Map<FakeRoute, number>();
  #faults: { route: FakeRoute; how: FakeFault; times: number }[] = [];
  #codes: number[] = [];
  #limit: { route: 'send' | 'edit'; after: number; times: number } | null = null;

  fail(route: FakeRoute, how: FakeFault, times: number): void {
    if (route === 'token' || how === 'unreachable') throw new NotOfThisPlatform(`${how} of ${route}`);
    this.#faults.push({ route, how, times });
  }

  /** The platform's error names no time. */
  limit({ route, after, pause, times = 1 }: RateLimit): void {
    if (pause !== 'unnamed' && route === 'send') throw new NotOfThisPlatform('rate limits with a time');
    this.#limit = { route, after, times };
  }

  /** The next calls are answered with a code. */
  answer(errcode: number, times: number): void {
    for (let time = 0; time < times; time += 1) this.#codes.push(errcode);
  }

  calls(route: FakeRoute): number {
    return this.#calls.get(route) ?? 0;
  }

  /** Whether a fault or a limit waits for calls of a route. */
  hasPlanFor(route: FakeRoute): boolean {
    return this.#faults.some((fault) => fault.route === route) || this.#limit?.route === route;
  }

  /** A call arrived. */
  next(routes: readonly FakeRoute[]): Planned {
    for (const route of ['any' as const, ...routes]) this.#calls.set(route, this.calls(route) + 1);
    const errcode = this.#codes.shift();
    if (errcode !== undefined) return { error: { errcode, errmsg: 'planned' } };
    if (this.#isLimited(routes)) return { error: tooFast };
    const planned = this.#faults.find(({ route }) => route === 'any' || routes.includes(route));
    if (planned === undefined) return null;
    planned.times -= 1;
    if (planned.times <= 0) this.#faults = this.#faults.filter((one) => one !== planned);
    const error = errors[planned.how];
    if (error !== undefined) return { error };
    return { how: planned.how as 'silence' | 'cut' | 'wrong_body' };
  }

  #isLimited(routes: readonly FakeRoute[]): boolean {
    const limit = this.#limit;
    if (limit === null || !routes.includes(limit.route)) return false;
    if (limit.after > 0) {
      limit.after -= 1;
      return false;
    }
    limit.times -= 1;
    if (limit.times <= 0) this.#limit = null;
    return true;
  }
}
