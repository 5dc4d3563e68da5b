import type { Logger } from '@parley/sdk';
import type { AdapterSockets, ShownPart, SocketsElsewhere } from '@parley/sdk/internal';
import Type, { type Static } from 'typebox';
import { now, secondsFromNow } from '../../lib/clock.ts';
import type { PeerNotices } from '../replicas/peer-notices.ts';
import type { PlacedPart, ShownPartStore } from './shown-part-store.ts';

export interface ChatSharingOptions {
  notices: Pick<PeerNotices, 'tell' | 'on' | 'onMissed' | 'hasReceivers'>;
  parts: ShownPartStore;
  /** The sockets of a bot that is connected here; null when it is not. */
  sockets: (botUuid: string) => AdapterSockets | null;
  logger: Logger;
}

/** Least time between two frames of one answer that is written, milliseconds. */
const growthInterval = 500;
/** Bytes of such frames in a second, for each answer. */
const growthRate = 40_000;
/** Beats between two looks for what no replica told. */
const beatsPerLook = 10;
/** How far back a look goes beyond the one before, seconds: what is stored becomes visible some time after its timestamp. */
const lookMargin = 5;

const placeSchema = Type.Object({
  pipeline_uuid: Type.String(),
  session_type: Type.Enum(['person', 'group']),
  session_id: Type.String(),
  thread_id: Type.String(),
});

const partSchema = Type.Object({
  uuid: Type.String(),
  piece: Type.Integer({ minimum: 0 }),
  connection_id: Type.String(),
  is_failure: Type.Boolean(),
  is_stopped: Type.Boolean(),
});

const where = { bot: Type.String(), place: placeSchema };
const chatNotice = Type.Union([
  Type.Object({ type: Type.Literal('stored'), ...where, part: partSchema }),
  Type.Object({ type: Type.Literal('growing'), ...where, uuid: Type.String(), frame: Type.String() }),
  Type.Object({ type: Type.Literal('frame'), ...where, frame: Type.String() }),
]);

type ChatNotice = Static<typeof chatNotice>;

/** The start of an answer, for the next notice to other replicas. */
interface Growth {
  notice: ChatNotice;
  timer: NodeJS.Timeout;
}

/**
 * Shows what bots show to the sockets of one replica to those of the others. Notices name stored messages by their ids, which
 * are read where there are sockets for them. What no notice named is found by looking: after a gap in the notices, when a replica has
 * ended, every ten beats, and with each beat where no notices arrive.
 */
export class ChatSharing {
  readonly #options: ChatSharingOptions;
  /** The bots that were connected here. */
  readonly #bots = new Set<string>();
  readonly #growing = new Map<string, Growth>();
  readonly #told: ChatNotice[] = [];
  #isShowing = false;
  #isLookDue = false;
  /** What was stored before is shown; null before the first beat. */
  #since: string | null = null;
  #others: readonly string[] = [];
  #beats = 0;

  constructor(options: ChatSharingOptions) {
    this.#options = options;
    options.notices.on<ChatNotice>('chat', chatNotice, (notice) => this.#take(notice));
    options.notices.onMissed(() => this.#look());
  }

  /** Takes what a bot shows here. */
  elsewhere(bot: string): SocketsElsewhere {
    this.#bots.add(bot);
    const { notices } = this.#options;
    return {
      stored: (place, part) => {
        this.#forgetGrowth(part.uuid);
        if (notices.hasReceivers) notices.tell('chat', { type: 'stored', bot, place, part } satisfies ChatNotice);
      },
      growing: (place, uuid, frame) => {
        if (notices.hasReceivers) this.#grow(uuid, { type: 'growing', bot, place, uuid, frame });
      },
      frame: (place, frame) => notices.tell('chat', { type: 'frame', bot, place, frame } satisfies ChatNotice),
    };
  }

  /**
   * Call with each beat.
   * @param others the other replicas that live
   * @param isTold whether they can reach this one
   */
  see(others: readonly string[], isTold: boolean): void {
    this.#since ??= now();
    this.#beats += 1;
    const isEnded = this.#others.some((id) => !others.includes(id));
    this.#others = others;
    const isRound = !isTold || this.#beats % beatsPerLook === 0;
    if (isEnded || this.#isLookDue || (others.length > 0 && isRound)) this.#look();
  }

  #grow(uuid: string, notice: ChatNotice & { type: 'growing' }): void {
    const known = this.#growing.get(uuid);
    if (known !== undefined) {
      known.notice = notice;
      return;
    }
    const delay = Math.max(growthInterval, (notice.frame.length / growthRate) * 1000);
    const timer = setTimeout(() => {
      const latest = this.#growing.get(uuid)?.notice;
      this.#growing.delete(uuid);
      if (latest !== undefined) this.#options.notices.tell('chat', latest);
    }, delay).unref();
    this.#growing.set(uuid, { notice, timer });
  }

  #forgetGrowth(uuid: string): void {
    clearTimeout(this.#growing.get(uuid)?.timer);
    this.#growing.delete(uuid);
  }

  #take(notice: ChatNotice): void {
    // A socket that opens later reads the history, which has it.
    if (!this.#options.sockets(notice.bot)?.has(notice.place)) return;
    this.#told.push(notice);
    void this.#show();
  }

  #look(): void {
    this.#isLookDue = true;
    void this.#show();
  }

  /** Shows what was told, in order. One runs at a time. */
  async #show(): Promise<void> {
    if (this.#isShowing) return;
    this.#isShowing = true;
    try {
      while (this.#told.length > 0) await this.#showTold(this.#told.splice(0));
      if (this.#isLookDue) await this.#showFound();
    } catch (error) {
      // The next beat looks.
      this.#isLookDue = true;
      this.#options.logger.warn({ error }, 'messages of web chats could not be read');
    } finally {
      this.#isShowing = false;
    }
    if (this.#told.length > 0) void this.#show();
  }

  async #showTold(notices: readonly ChatNotice[]): Promise<void> {
    const parts = notices.flatMap((notice) => (notice.type === 'stored' ? [notice.part] : []));
    const read = parts.length === 0 ? [] : await this.#options.parts.read(parts);
    const found = new Map(read.map(({ part }) => [keyOf(part), part]));
    for (const notice of notices) {
      const sockets = this.#options.sockets(notice.bot);
      const { place } = notice;
      if (notice.type === 'growing') sockets?.growing(place, notice.uuid, notice.frame);
      else if (notice.type === 'frame') sockets?.frame(place, notice.frame);
      else {
        const part = found.get(keyOf(notice.part));
        if (part !== undefined) sockets?.stored(place, part, false);
      }
    }
  }

  async #showFound(): Promise<void> {
    if (this.#since === null) return;
    this.#isLookDue = false;
    const since = this.#since;
    const begun = secondsFromNow(-lookMargin);
    for (const bot of this.#bots) {
      const sockets = this.#options.sockets(bot);
      const places = sockets?.places() ?? [];
      if (places.length === 0) continue;
      const found: PlacedPart[] = await this.#options.parts.since(bot, places, since);
      for (const { place, part } of found) sockets?.stored(place, part, true);
    }
    this.#since = begun;
  }
}

function keyOf({ uuid, piece }: Pick<ShownPart, 'uuid' | 'piece'>): string {
  return `${uuid}/${piece}`;
}
