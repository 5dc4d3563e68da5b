/** Where a record stands in a list that is ordered by when records were made. */
export interface RecordPlace {
  created_at: string;
  uuid: string;
}

/** A part of such a list. */
export interface RecordPage {
  /** All when left out. */
  limit?: number | undefined;
  /** The record before the first one; the list begins at its beginning when left out. */
  after?: RecordPlace | undefined;
}
