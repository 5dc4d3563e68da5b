/** Position of a record in a list ordered by creation time. */
export interface RecordPlace {
  created_at: string;
  uuid: string;
}

/** A part of such a list. */
export interface RecordPage {
  /** All when omitted. */
  limit?: number | undefined;
  /** The record before the first one; from the start when omitted. */
  after?: RecordPlace | undefined;
}
