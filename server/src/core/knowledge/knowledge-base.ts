import type { I18nText, KnowledgeEngineCapability } from '@parley/sdk';
import Type, { type Static } from 'typebox';

/** A knowledge base as it is stored. Secret settings are masked; the values are in the sealed secrets. */
export interface KnowledgeBase {
  uuid: string;
  name: string;
  description: string;
  emoji: string | null;
  /** `author/name` of its engine; fixed at creation. */
  knowledge_engine_plugin_id: string;
  /** The collection that is searched. */
  collection_id: string;
  /** Complete by the engine's schema; those of the collection that is searched. */
  creation_settings: Record<string, unknown>;
  /** The given settings; the engine's defaults are not stored. */
  retrieval_settings: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

/**
 * `active`: it is searched; each base has one. `building`: documents are being indexed into it. `waiting`: it is
 * complete, but its figures are lower than those of the active one, so an operator has to decide. `failed`: it could
 * not be completed. `dropping`: its content is being removed.
 */
export type CollectionState = 'active' | 'building' | 'waiting' | 'failed' | 'dropping';

/** One way of storing the documents of a base. */
export interface CollectionRecord {
  collection_id: string;
  knowledge_base_uuid: string;
  state: CollectionState;
  creation_settings: Record<string, unknown>;
  /** For users; null without an error. */
  error: string | null;
  /** The run of golden questions on it that decided, or waits for a decision. */
  evaluation_uuid: string | null;
  created_at: string;
  updated_at: string;
}

/** A collection as it is stored: settings masked, with the sealed secrets. */
export type StoredCollection = CollectionRecord & {
  knowledge_engine_plugin_id: string;
  sealed_secrets: string | null;
  /** Those in `creation_settings`, as {@link SavedAddresses}. */
  admin_addresses: string[] | null;
};

/** A collection with the number of documents in it. */
export type CollectionView = CollectionRecord & {
  document_count: number;
  chunk_count: number;
  /** Documents that are still to be stored in it. */
  missing_count: number;
};

/** The counts of a base. */
export interface KnowledgeCounts {
  document_count: number;
  /** In the collection that is searched. */
  chunk_count: number;
}

/** A base as it is stored: `retrieval_settings` masked, with the sealed secrets. */
export type StoredKnowledgeBase = KnowledgeBase & KnowledgeCounts & { sealed_secrets: string | null };

/** A base as it is shown. */
export type KnowledgeBaseView = KnowledgeBase &
  KnowledgeCounts & {
    /** Of a removed engine: its id as the name, and no capabilities. */
    knowledge_engine: { plugin_id: string; name: I18nText; capabilities: KnowledgeEngineCapability[] };
  };

const Settings = Type.Record(Type.String({ maxLength: 255 }), Type.Unknown(), {
  maxProperties: 200,
  description: "By the engine's schema; omitted settings have their defaults.",
});

export const UpdateKnowledgeBase = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 255 })),
    description: Type.Optional(Type.String({ maxLength: 2000 })),
    emoji: Type.Optional(Type.Union([Type.String({ maxLength: 10 }), Type.Null()])),
    retrieval_settings: Type.Optional(Settings),
    creation_settings: Type.Optional(Settings),
  },
  { additionalProperties: false },
);
export type UpdateKnowledgeBase = Static<typeof UpdateKnowledgeBase>;

export const CreateKnowledgeBase = Type.Object(
  {
    ...UpdateKnowledgeBase.properties,
    knowledge_engine_plugin_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: '`author/name`; the built-in engine when omitted.' }),
    ),
  },
  { additionalProperties: false },
);
export type CreateKnowledgeBase = Static<typeof CreateKnowledgeBase>;
