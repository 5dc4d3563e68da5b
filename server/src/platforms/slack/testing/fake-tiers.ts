/** Calls a minute by the tiers of the documentation. Slack tolerates short bursts above them. */
const tiers: Readonly<Record<string, number>> = {
  'chat.startStream': 20,
  'chat.stopStream': 20,
  'chat.update': 50,
  'conversations.history': 50,
  'conversations.replies': 50,
  'chat.appendStream': 100,
};
const burst = 1.2;
const minute = 60_000;

/** Counts the calls of an app in its workspace. @see https://docs.slack.dev/apis/web-api/rate-limits */
export class FakeTiers {
  readonly #calls = new Map<string, number[]>();

  /** @returns the seconds after which another call is taken; null when this one is */
  take(method: string, now: number): number | null {
    const most = tiers[method];
    if (most === undefined) return null;
    const recent = (this.#calls.get(method) ?? []).filter((at) => at > now - minute);
    const [first = now] = recent;
    if (recent.length >= most * burst) return Math.ceil((first + minute - now) / 1000);
    this.#calls.set(method, [...recent, now]);
    return null;
  }
}
