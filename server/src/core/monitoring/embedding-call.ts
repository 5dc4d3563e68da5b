import type { Reason } from '@parley/sdk';
import { secondsFromNow } from '../../lib/clock.ts';

const secondsPerDay = 86_400;

/** A request to an embedding model, as it is recorded. */
export interface EmbeddingCall {
  model_uuid: string | null;
  model_name: string;
  /** ISO 8601 UTC with milliseconds. */
  started_at: string;
  milliseconds: number;
  prompt_tokens: number;
  total_tokens: number;
  /** How many texts were turned into vectors. */
  input_count: number;
  /** Why it failed; null when it did not. */
  reason: Reason | null;
  /** For the operator; contains no secrets. */
  error: string | null;
  knowledge_base_uuid: string | null;
  /** The plugin whose texts they are, `author/name`; null for knowledge bases and tests of models. */
  plugin_id: string | null;
  /** The query; null when documents were indexed. */
  query_text: string | null;
  /** `person_<id>` or `group_<id>`; null for a call without a message. */
  session_id: string | null;
  message_uuid: string | null;
  /** `embedding`: documents were stored; `retrieve`: something was searched for. */
  call_type: 'embedding' | 'retrieve';
}

/** Stores embedding calls. */
export interface EmbeddingCallStore {
  record(call: EmbeddingCall): Promise<void>;
  /**
   * Removes calls from before a timestamp, ISO 8601 UTC.
   * @returns how many, at most `limit`
   */
  removeBefore(timestamp: string, limit: number): Promise<number>;
}

/**
 * @param days retention time; 0 keeps calls forever
 * @returns how many were removed, at most `limit`
 */
export async function forgetOldEmbeddingCalls(
  store: Pick<EmbeddingCallStore, 'removeBefore'>,
  days: number,
  limit: number,
): Promise<number> {
  return days === 0 ? 0 : store.removeBefore(secondsFromNow(-days * secondsPerDay), limit);
}
