import type { ParameterFault } from '../core/tools/parameter-checker.ts';

/** Requests to a thread, one after the other. Both are JSON. */
export interface SchemaQuestion {
  schema: string;
  parameters: string;
}

/** Messages of a thread. */
export type SchemaAnswer =
  /** It is ready. */
  | { type: 'ready' }
  | { type: 'checked'; faults: ParameterFault[] }
  /** The schema cannot be used, and why. */
  | { type: 'unusable'; error: string };
