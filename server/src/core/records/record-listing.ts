/** Which records of a list are wanted, and in which order. All of them, in the order of their ids, when it is empty. */
export interface RecordListing {
  /** Part of a name or of another text that users know the record by; capitals do not matter. */
  search?: string | undefined;
  /** Only records with one of these ids. */
  ids?: readonly (string | number)[] | undefined;
  /** Name of an order of the list. */
  sort_by?: string | undefined;
  descending?: boolean | undefined;
  /** All when omitted. */
  limit?: number | undefined;
  /** Matches before the first one that is returned. */
  offset?: number | undefined;
}

/** Some of the records that match a listing. */
export interface ListedRecords<Shown> {
  records: Shown[];
  /** How many match, on all pages. */
  total: number;
}

/** A record that a change is to be made to. */
export interface NamedRecord<Id extends string | number = string> {
  id: Id;
  name: string;
}
