import type { TSchema } from 'typebox';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';

/** Notices of one sender to one receiver, without a gap between them. */
export const noticeBatch = Type.Object({
  /** The number of the first one, or of the next one when there are none. */
  first: Type.Integer({ minimum: 1 }),
  notices: Type.Array(Type.Object({ kind: Type.String(), data: Type.Unknown() })),
});

export type NoticeBatch = Static<typeof noticeBatch>;

export interface NoticeAnswer {
  /** Whether anyone there watches deferrable notices. */
  isWatched: boolean;
}

export interface PeerNoticesOptions {
  /**
   * Takes a batch to another replica.
   * @param batch JSON of a {@link NoticeBatch}
   * @returns nothing counts as watched
   * @throws when it may not have arrived
   */
  send: (replica: string, batch: string) => Promise<NoticeAnswer | null | undefined>;
  /** How long notices are collected, milliseconds; default 50. */
  delayMs?: number;
  /** The same for deferrable ones to a replica where nobody watches them; default 1000. */
  deferredMs?: number;
  /** Notices that wait for one replica at most; default 2000. */
  maximum?: number;
}

/** Another replica that receives notices. */
interface Receiver {
  id: string;
  /** The number of the first notice that waits, or of the next one. */
  next: number;
  /** JSON of each notice that waits. */
  waiting: string[];
  /** JSON of notices of which a batch needs one, however often they are given. */
  once: Set<string>;
  /** Something may be lost: the next beat sends it the gap, and nothing is sent before. */
  isBroken: boolean;
  isSending: boolean;
  /** When it last answered, someone watched there. */
  isWatched: boolean;
  /** When the timer ends, by `performance.now()`. */
  due: number;
  timer: NodeJS.Timeout | undefined;
}

/** So many notices are not collected any longer. */
const largeBatch = 200;
/** How long the count of a sender is remembered that is not known to live, milliseconds. */
const memory = 60_000;

/**
 * Tells other replicas what changed, and takes what they tell. Notices are numbered for each receiver: after a gap, and from
 * a new sender, listeners are called, as they have missed something. Any of them may be lost, so nothing relies on them alone.
 */
export class PeerNotices {
  readonly #options: Required<PeerNoticesOptions>;
  readonly #receivers = new Map<string, Receiver>();
  /** The number that each sender should continue with. */
  readonly #expected = new Map<string, { next: number; at: number }>();
  readonly #listeners = new Map<string, { schema: TSchema; listen: (data: never) => void }>();
  readonly #missed: (() => void)[] = [];
  #isClosed = false;

  constructor(options: PeerNoticesOptions) {
    this.#options = { delayMs: 50, deferredMs: 1000, maximum: 2000, ...options };
  }

  /** @param schema of the data; others are left out: another version may have sent them */
  on<Data>(kind: string, schema: TSchema, listen: (data: Data) => void): void {
    this.#listeners.set(kind, { schema, listen });
  }

  /** Calls a listener when notices of another replica may have been lost. */
  onMissed(listener: () => void): void {
    this.#missed.push(listener);
  }

  /** Whether there is another replica to tell. */
  get hasReceivers(): boolean {
    return this.#receivers.size > 0;
  }

  /** Whether the last batch for a replica arrived; null for one that none is sent to. */
  reaches(id: string): boolean | null {
    const receiver = this.#receivers.get(id);
    return receiver === undefined ? null : !receiver.isBroken;
  }

  /** Takes which replicas live and can be reached. A new one learns with the next batch that there is a new sender. */
  see(replicas: readonly string[]): void {
    if (this.#isClosed) return;
    for (const id of this.#receivers.keys()) if (!replicas.includes(id)) this.#forget(id);
    for (const id of replicas) {
      const receiver = this.#receivers.get(id) ?? this.#added(id);
      if (!receiver.isBroken || receiver.isSending) continue;
      receiver.isBroken = false;
      void this.#send(receiver);
    }
    const limit = performance.now() - memory;
    for (const [id, { at }] of this.#expected) if (at < limit && !replicas.includes(id)) this.#expected.delete(id);
  }

  /**
   * Tells other replicas.
   * @param data JSON; no secret
   * @param to the only one to tell; default all
   * @param isRepeatable whether one is enough when the same is given several times within a batch
   * @param isDeferrable whether it can wait for longer where nobody watches
   */
  tell(
    kind: string,
    data: unknown,
    {
      to,
      isRepeatable = false,
      isDeferrable = false,
    }: { to?: string; isRepeatable?: boolean; isDeferrable?: boolean } = {},
  ): void {
    if (this.#receivers.size === 0) return;
    const text = JSON.stringify({ kind, data });
    for (const receiver of this.#receivers.values()) {
      if (to !== undefined && receiver.id !== to) continue;
      if (isRepeatable) receiver.once.add(text);
      else receiver.waiting.push(text);
      this.#sendSoon(receiver, isDeferrable);
    }
  }

  /** Takes what another replica tells. */
  take(from: string, { first, notices }: NoticeBatch): void {
    const expected = this.#expected.get(from)?.next;
    // A batch that was on its way for so long that it counted as lost.
    if (expected !== undefined && first < expected) return;
    this.#expected.set(from, { next: first + notices.length, at: performance.now() });
    if (first !== expected) for (const listener of this.#missed) listener();
    for (const { kind, data } of notices) {
      const listener = this.#listeners.get(kind);
      // The data are what the schema says.
      if (listener !== undefined && Check(listener.schema, data)) listener.listen(data as never);
    }
  }

  /** Others know this replica by a new id: it is a new sender. */
  restart(): void {
    for (const id of [...this.#receivers.keys()]) this.#forget(id);
    this.#expected.clear();
  }

  /** Tells nothing more. */
  close(): void {
    this.#isClosed = true;
    this.restart();
  }

  #added(id: string): Receiver {
    const receiver: Receiver = {
      id,
      next: 1,
      waiting: [],
      once: new Set(),
      isBroken: true,
      isSending: false,
      isWatched: true,
      due: 0,
      timer: undefined,
    };
    this.#receivers.set(id, receiver);
    return receiver;
  }

  #forget(id: string): void {
    clearTimeout(this.#receivers.get(id)?.timer);
    this.#receivers.delete(id);
  }

  #sendSoon(receiver: Receiver, isDeferrable: boolean): void {
    const { delayMs, deferredMs, maximum } = this.#options;
    const { waiting, isWatched } = receiver;
    if (receiver.isBroken || waiting.length > maximum) {
      this.#drop(receiver);
      return;
    }
    if (receiver.isSending) return;
    const delay = isDeferrable && !isWatched && waiting.length < largeBatch ? deferredMs : delayMs;
    const due = performance.now() + delay;
    if (receiver.timer !== undefined && receiver.due <= due) return;
    clearTimeout(receiver.timer);
    receiver.due = due;
    receiver.timer = setTimeout(() => void this.#send(receiver), delay).unref();
  }

  /** What waits is lost, which shows in the next number. */
  #drop(receiver: Receiver): void {
    receiver.next += receiver.waiting.length + receiver.once.size;
    receiver.waiting = [];
    receiver.once.clear();
    receiver.isBroken = true;
  }

  async #send(receiver: Receiver): Promise<void> {
    clearTimeout(receiver.timer);
    receiver.timer = undefined;
    const notices = [...receiver.waiting, ...receiver.once];
    const batch = `{"first":${receiver.next},"notices":[${notices.join()}]}`;
    receiver.next += notices.length;
    receiver.waiting = [];
    receiver.once.clear();
    receiver.isSending = true;
    try {
      const answer = await this.#options.send(receiver.id, batch);
      receiver.isWatched = answer?.isWatched ?? true;
    } catch {
      // It may have arrived: then the next one follows without a gap.
      this.#drop(receiver);
    }
    receiver.isSending = false;
    const isWaiting = receiver.waiting.length > 0 || receiver.once.size > 0;
    if (isWaiting && this.#receivers.get(receiver.id) === receiver) this.#sendSoon(receiver, false);
  }
}
