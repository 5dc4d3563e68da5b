import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import type { Bot, BotChanges, BotFilter, NewBot, StoredBot } from './bot.ts';

/** A listing of bots. States are known by the connections, so they are given as the bots that have them. */
export interface BotListing extends RecordListing, Omit<BotFilter, 'state'> {
  /** Platforms whose bots are not listed. */
  without_adapters: readonly string[];
  /** Only these bots, or all others. */
  only?: { uuids: readonly string[]; are: 'listed' | 'left_out' } | undefined;
}

/** What tells whether the connection of a bot matches its record. */
export type BotRevision = Pick<Bot, 'uuid' | 'adapter' | 'enable' | 'updated_at'>;

/** Why a write was refused. Nothing has changed then. */
export type BotRefusal =
  | { reason: 'not_found' | 'limit_reached' }
  /** The bot or one of its rules names pipelines that do not exist. */
  | { reason: 'unknown_pipelines'; pipelines: string[] };

/** Bots, and the pipelines that the rules of each name. Every method is atomic. */
export interface BotStore {
  list(): Promise<Bot[]>;
  page(listing: BotListing): Promise<ListedRecords<Bot>>;
  /** All matches of a listing, by uuid. */
  names(listing: BotListing): Promise<NamedRecord[]>;
  byUuid(uuid: string): Promise<Bot | null>;
  /** Every bot with its sealed secrets. */
  stored(): Promise<StoredBot[]>;
  /** Of every bot. */
  revisions(): Promise<BotRevision[]>;
  storedByUuid(uuid: string): Promise<StoredBot | null>;
  /**
   * @param maximum how many bots there may be with this one; -1 for any number
   * @returns null when it was made
   */
  create(bot: NewBot, maximum?: number): Promise<BotRefusal | null>;
  /**
   * @param change receives the stored record, which is locked meanwhile; its errors are rethrown
   * @returns null on success
   */
  update(uuid: string, change: (stored: StoredBot) => BotChanges): Promise<BotRefusal | null>;
  /** @returns false when there is no such bot */
  delete(uuid: string): Promise<boolean>;
}
