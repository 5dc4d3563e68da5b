import type { StoredBot } from './bot.ts';
import type { BotConfigs } from './bot-configs.ts';
import type { BotLeases } from './bot-leases.ts';
import type { BotRevision, BotStore } from './bot-store.ts';

/** What a comparison with the records has found. */
export interface ComparedBots {
  /** Enabled bots of which one replica connects each. */
  leased: string[];
  /** Enabled bots of this replica whose record is another one than before. */
  changed: string[];
  /** Bots that were known and are not enabled any more. */
  left: string[];
}

/** Which bots this replica has to connect, as far as their records and leases are known. */
export class BotAssignments {
  readonly #store: Pick<BotStore, 'revisions'>;
  readonly #configs: BotConfigs;
  readonly #leases: BotLeases;
  /** As they were read last. */
  readonly #revisions = new Map<string, BotRevision>();

  constructor(store: Pick<BotStore, 'revisions'>, configs: BotConfigs, leases: BotLeases) {
    this.#store = store;
    this.#configs = configs;
    this.#leases = leases;
  }

  /** The bots whose records are known. */
  uuids(): Iterable<string> {
    return this.#revisions.keys();
  }

  isEnabled(botUuid: string): boolean {
    return this.#revisions.get(botUuid)?.enable === true;
  }

  /** The name of its platform; undefined when its record is not known. */
  adapterOf(botUuid: string): string | undefined {
    return this.#revisions.get(botUuid)?.adapter;
  }

  /** Whether one replica at a time connects a bot. */
  isLeased(botUuid: string): boolean {
    const adapter = this.adapterOf(botUuid);
    return adapter === undefined || this.#configs.isLeased(adapter);
  }

  /** Whether this replica connects a bot if it is enabled. */
  isHere(botUuid: string): boolean {
    return !this.isLeased(botUuid) || this.#leases.holds(botUuid);
  }

  /** Wants the lease of a bot if its record says so. @returns whether this replica is to connect it */
  follow(botUuid: string, record: StoredBot | null): boolean {
    if (record === null) {
      this.#revisions.delete(botUuid);
      return false;
    }
    const { uuid, adapter, enable, updated_at } = record;
    this.#revisions.set(uuid, { uuid, adapter, enable, updated_at });
    if (!enable) return false;
    if (this.isLeased(uuid)) this.#leases.want([uuid]);
    return this.isHere(uuid);
  }

  /** Reads all records, and wants the leases of those that are enabled. */
  async compare(): Promise<ComparedBots> {
    const revisions = await this.#store.revisions();
    const before = new Map(this.#revisions);
    this.#revisions.clear();
    for (const revision of revisions) this.#revisions.set(revision.uuid, revision);
    const enabled = revisions.filter(({ enable }) => enable);
    const leased = enabled.map(({ uuid }) => uuid).filter((uuid) => this.isLeased(uuid));
    this.#leases.want(leased);
    const changed = enabled
      .filter((revision) => this.isHere(revision.uuid) && !isSame(before.get(revision.uuid), revision))
      .map(({ uuid }) => uuid);
    const left = [...before.values()].filter(({ uuid, enable }) => enable && !this.isEnabled(uuid));
    return { leased, changed, left: left.map(({ uuid }) => uuid) };
  }

  /** A bot is not enabled any more, and its connection has ended. */
  leave(botUuid: string): void {
    this.#leases.unwant(botUuid);
  }
}

function isSame(left: BotRevision | undefined, right: BotRevision): boolean {
  return left?.adapter === right.adapter && left.enable === right.enable && left.updated_at === right.updated_at;
}
