/** A knowledge base as it is stored. Settings are masked where they are secret; the real ones lie sealed beside them. */
export interface KnowledgeBase {
  uuid: string;
  name: string;
  description: string;
  emoji: string | null;
  /** `author/name` of its engine; settled when the base is made. */
  knowledge_engine_plugin_id: string;
  /** The collection that is searched. */
  collection_id: string;
  /** Complete by the engine's schema; those of the collection that is searched. */
  creation_settings: Record<string, unknown>;
  /** Those that were given; the engine's defaults are not written down. */
  retrieval_settings: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

/**
 * `active`: it is searched; a base has one of these. `building`: documents are stored in it beside the active one.
 * `waiting`: it is complete, and its figures are lower than those of the active one, so somebody has to decide.
 * `failed`: it could not be completed. `dropping`: what is stored is being removed.
 */
export type CollectionState = 'active' | 'building' | 'waiting' | 'failed' | 'dropping';

/** One way of storing the documents of a base. */
export interface CollectionRecord {
  collection_id: string;
  knowledge_base_uuid: string;
  state: CollectionState;
  creation_settings: Record<string, unknown>;
  /** For people; null while nothing went wrong. */
  error: string | null;
  /** The run of golden questions on it that decided, or waits for a decision. */
  evaluation_uuid: string | null;
  created_at: string;
  updated_at: string;
}
