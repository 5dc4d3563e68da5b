import type { Measure } from './measures.ts';

/** Sums of one hour, bot, pipeline and model; what messages have no model, and embedding calls have no bot. */
export type Rollup = { start: string; bot_uuid: string; pipeline_uuid: string; model_name: string } & Partial<
  Record<Measure, number>
>;

/** A mark that something in an hour changed after it may have been summed up. */
export interface HourMark {
  id: number;
  hour: string;
}

/** Hours counted in one snapshot of the ledger, with their marks at that time. */
export interface CountedHours {
  rollups: Rollup[];
  marks: HourMark[];
}

/** Stores sums of hours and days. Hours are represented by their start, ISO 8601 UTC. */
export interface RollupStore {
  /** End of the range that is summed up, exclusive; null without any. Sums of hours with a mark count as missing. */
  until(): Promise<string | null>;
  /** Timestamp of the first record to sum up, from an hour on; null when there is none. */
  firstTimestamp(from: string | null): Promise<string | null>;
  /** Marked hours before one, the oldest first, all of the same day. */
  markedHours(before: string): Promise<string[]>;
  /** Counts hours in the ledger, without blocking other work. */
  count(hours: readonly string[]): Promise<CountedHours>;
  /** Puts the sums of an hour in the place of those there are, and takes the marks away that the count had seen. */
  replace(hour: string, rollups: readonly Rollup[], marks: readonly HourMark[], until: string): Promise<void>;
  /** Records that everything before an hour is summed up, or, when it is earlier than before, the range that is not. */
  setUntil(hour: string): Promise<void>;
}
