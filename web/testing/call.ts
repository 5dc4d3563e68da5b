export type Verb = 'get' | 'post' | 'put' | 'delete';

/** A request that the console sent. */
export interface Call {
  method: Verb;
  /** Without the query: `/api/v1/platform/bots`. */
  path: string;
  query: Record<string, string>;
  headers: Headers;
  /** Parsed JSON, or the form of an upload; undefined without a body. */
  body: unknown;
  /** Aborts with the request. */
  signal: AbortSignal;
  /** Reports the progress of an upload, bytes; does nothing for other requests. */
  progress: (loaded: number, total: number) => void;
}
