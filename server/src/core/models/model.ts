import type { ModelKind } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { Timestamp } from '../../lib/schema-parts.ts';
import { NamedProvider, Provider } from './provider.ts';

/** Display names of the kinds. */
export const modelKindNames: Record<ModelKind, string> = {
  llm: 'LLM models',
  'text-embedding': 'embedding models',
  rerank: 'rerank models',
};

const uuid = Type.String({ format: 'uuid' });

/** `prefered_ranking` is spelled as clients of the reference system spell it. */
const record = {
  uuid,
  name: Type.String({ description: "The model's id at the provider." }),
  provider_uuid: uuid,
  extra_args: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Sent along with every request, as the provider names the fields.',
  }),
  prefered_ranking: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
  provider: Type.Optional(Provider),
};

export const LanguageModelRecord = Type.Object(
  { ...record, abilities: Type.Array(Type.String()) },
  { title: 'LanguageModel' },
);
export const EmbeddingModelRecord = Type.Object(record, { title: 'EmbeddingModel' });
export const RerankModelRecord = Type.Object(record, { title: 'RerankModel' });

/** Filters of the list of models. */
export interface ModelFilter {
  provider_uuid?: string | undefined;
}

/** A model of any kind; only language models have abilities. */
export type ModelRecord = Static<typeof EmbeddingModelRecord> & { abilities?: string[] };

/** A model without the provider that answers carry along; its abilities are empty where its kind has none. */
export type StoredModel = Omit<ModelRecord, 'provider' | 'abilities'> & { abilities: string[] };

const named = NamedProvider.properties;
const writable = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  ...named,
  extra_args: Type.Record(Type.String(), Type.Unknown()),
  prefered_ranking: Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 }),
};
const abilities = Type.Array(Type.Enum(['vision', 'func_call']), { maxItems: 10 });
const closed = { additionalProperties: false };

/** Omitted fields stay unchanged. */
export const UpdateModel = Type.Partial(Type.Object(writable), closed);
export const UpdateLanguageModel = Type.Partial(Type.Object({ ...writable, abilities }), closed);
export type UpdateModel = Static<typeof UpdateLanguageModel>;

export const CreateModel = Type.Object({ ...UpdateModel.properties, name: writable.name }, closed);
export const CreateLanguageModel = Type.Object({ ...UpdateLanguageModel.properties, name: writable.name }, closed);
export type CreateModel = Static<typeof CreateLanguageModel>;
