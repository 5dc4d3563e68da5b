import type { RawBuilder } from 'kysely';
import type { Measure } from '../../core/monitoring/measures.ts';
import type { RecordFilter, RecordPlace } from '../../core/monitoring/monitoring-reader.ts';
import type { MonitoredRecords, RecordKind } from '../../core/monitoring/records.ts';

/** A part of the records of a kind, newest first. */
export interface RecordRange {
  filter: RecordFilter;
  limit: number;
  offset: number;
  /** Only records after this place. */
  after: RecordPlace | null;
  activeSince: string;
  /** Few messages match the filters, so all of them may be scanned rather than all of a time range. */
  isSparse?: boolean;
}

/** A record as it was read, with its place. */
export interface PlacedRecord<Kind extends RecordKind> {
  record: MonitoredRecords[Kind];
  place: RecordPlace;
}

/** How the records of one kind are found. */
export interface RecordSource<Kind extends RecordKind = RecordKind, Row extends object = object> {
  /** Their number is the sum of these measures, which also tell in which hours they are; null where it is counted. */
  measures: readonly Measure[] | null;
  query(range: RecordRange): RawBuilder<Row>;
  /** Where the measures do not tell. */
  count(range: RecordRange): RawBuilder<{ total: number }>;
  placed(row: Row): PlacedRecord<Kind>;
}
