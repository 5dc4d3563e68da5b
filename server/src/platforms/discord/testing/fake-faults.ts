import type { ServerResponse } from 'node:http';
import type { FakeFault, FakePause, FakeRoute } from '@parley/sdk/testing';

/** A response in the API's form. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

interface Planned {
  route: FakeRoute;
  how: FakeFault;
  times: number;
}

interface Limit {
  route: 'send' | 'edit';
  after: number;
  pause: FakePause;
  times: number;
}

/** Responses of the API to what it refuses, by the fault. */
const refusals: Partial<Record<FakeFault, Reply>> = {
  refused: {
    status: 400,
    body: {
      code: 50035,
      message: 'Invalid Form Body',
      errors: { content: { _errors: [{ code: 'BASE_TYPE_BAD', message: 'This content is not wanted.' }] } },
    },
  },
  unknown_target: { status: 404, body: { code: 10003, message: 'Unknown Channel' } },
  missing_permission: { status: 403, body: { code: 50013, message: 'Missing Permissions' } },
  server_error: { status: 500, body: { code: 0, message: '500: Internal Server Error' } },
};

/** Faults and rate limits that a test plans, and the calls that meet them. */
export class FakeFaults {
  readonly #calls = new Map<FakeRoute, number>();
  #planned: Planned[] = [];
  #limits: Limit[] = [];

  fail(route: FakeRoute, how: FakeFault, times: number): void {
    this.#planned.push({ route, how, times });
  }

  limit({ route, after, pause, times = Number.POSITIVE_INFINITY }: Omit<Limit, 'times'> & { times?: number }): void {
    this.#limits.push({ route, after, pause, times });
  }

  calls(route: FakeRoute): number {
    return this.#calls.get(route) ?? 0;
  }

  /** Counts a call. @returns the fault that it meets */
  take(routes: readonly FakeRoute[]): FakeFault | null {
    for (const route of routes) this.#calls.set(route, this.calls(route) + 1);
    const planned = this.#planned.find(({ route, times }) => times > 0 && routes.includes(route));
    if (planned === undefined) return null;
    planned.times -= 1;
    this.#planned = this.#planned.filter(({ times }) => times > 0);
    return planned.how;
  }

  /** @returns the rate limit that a call meets */
  limited(routes: readonly FakeRoute[]): Reply | null {
    const limit = this.#limits.find(({ route, times }) => times > 0 && routes.includes(route));
    if (limit === undefined) return null;
    if (limit.after > 0) {
      limit.after -= 1;
      return null;
    }
    limit.times -= 1;
    return limitReply(limit.pause);
  }
}

/** The response to a fault that does not carry the call out; null when it is carried out first. */
export function refusalOf(fault: FakeFault): Reply | null {
  return refusals[fault] ?? null;
}

/** What comes back after a call that was carried out. */
export function spoil(response: ServerResponse, fault: 'silence' | 'cut' | 'wrong_body'): void {
  if (fault === 'cut') response.socket?.destroy();
  if (fault === 'wrong_body') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>A proxy</html>');
}

function limitReply(pause: FakePause): Reply {
  // The network before the API answers in its own form.
  if (pause === 'unnamed') return { status: 429, body: '<html>error code: 1015</html>' };
  if ('date' in pause) throw new Error('Checked before');
  return rateLimited(pause.seconds);
}

export function rateLimited(seconds: number, { global = false, scope = 'user' } = {}): Reply {
  return {
    status: 429,
    headers: { 'retry-after': String(Math.ceil(seconds)), 'x-ratelimit-scope': scope },
    body: { message: 'You are being rate limited.', retry_after: seconds, global },
  };
}
