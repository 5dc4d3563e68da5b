import { type FakeFault, type FakePause, type FakeRoute, NotOfThisPlatform } from '@parley/sdk/testing';

interface PlannedFault {
  route: FakeRoute;
  how: FakeFault;
  times: number;
}

/** A refusal as a client words it. */
export interface PlannedRefusal {
  retcode: number;
  wording: string;
}

const refusals: Partial<Record<FakeFault, PlannedRefusal>> = {
  refused: { retcode: 1400, wording: '参数错误' },
  unknown_target: { retcode: 1200, wording: '群不存在' },
  missing_permission: { retcode: 1200, wording: '机器人已被禁言' },
  server_error: { retcode: 1200, wording: 'Timeout: NTEvent serviceAndMethod:NodeIKernelMsgService/sendMsg' },
};

const tooFrequent: PlannedRefusal = { retcode: 1200, wording: '发送消息过于频繁，请稍后再试' };

const routes: Partial<Record<FakeRoute, RegExp>> = {
  any: /./,
  start: /^get_login_info$/,
  send: /^(send_|upload_)/,
  upload: /^upload_/,
  media: /^get_(image|record|file|(group|private)_file_url)$/,
};

export function isOnRoute(action: string, route: FakeRoute): boolean {
  return routes[route]?.test(action) === true;
}

/** Which of the next actions fail, and how. */
export class FaultPlan {
  #faults: PlannedFault[] = [];
  #limit: { after: number; times: number } | null = null;

  fail(route: FakeRoute, how: FakeFault, times: number): void {
    if (routes[route] === undefined) throw new NotOfThisPlatform(`calls of the kind ${route}`);
    this.#faults.push({ route, how, times });
  }

  limit({
    route,
    after,
    pause,
    times = 1,
  }: {
    route: 'send' | 'edit';
    after: number;
    pause: FakePause;
    times?: number;
  }) {
    if (route === 'edit' || pause !== 'unnamed') throw new NotOfThisPlatform('a rate limit with a time');
    this.#limit = { after, times };
  }

  /** What becomes of an action; it counts. */
  next(action: string): { fault: FakeFault | null; refusal: PlannedRefusal | null } {
    if (isOnRoute(action, 'send') && this.#isLimited()) return { fault: null, refusal: tooFrequent };
    const planned = this.#faults.find(({ route }) => isOnRoute(action, route));
    if (planned === undefined) return { fault: null, refusal: null };
    planned.times -= 1;
    if (planned.times <= 0) this.#faults = this.#faults.filter((one) => one !== planned);
    return { fault: planned.how, refusal: refusals[planned.how] ?? null };
  }

  #isLimited(): boolean {
    if (this.#limit === null) return false;
    if (this.#limit.after > 0) {
      this.#limit.after -= 1;
      return false;
    }
    this.#limit.times -= 1;
    if (this.#limit.times <= 0) this.#limit = null;
    return true;
  }
}
