/** What a thread is asked, one thing after the other. Both are JSON. */
export interface SchemaQuestion {
  schema: string;
  parameters: string;
}

/** What a thread tells. */
export type SchemaAnswer =
  /** It can be asked. */
  | { type: 'ready' }
  | { type: 'checked'; faults: string | null }
  /** The schema cannot be used, and why. */
  | { type: 'unusable'; error: string };
