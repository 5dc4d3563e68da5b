import type { EmbeddingModelV4, LanguageModelV4, RerankingModelV4 } from '@ai-sdk/provider';
import type { I18nText } from './i18n-text.ts';

/** The contract of a language model is the AI SDK's own. */
export type LanguageModel = LanguageModelV4;
/** Turns texts into vectors, as the AI SDK has it. */
export type EmbeddingModel = EmbeddingModelV4;
/** Orders documents by how well they answer a query, as the AI SDK has it. */
export type RerankingModel = RerankingModelV4;

/** A kind of model. */
export type ModelKind = 'llm' | 'text-embedding' | 'rerank';

/** Connection parameters of one model. */
export interface ModelConnection {
  /** The model's id at the provider. */
  model_name: string;
  base_url: string;
  /** Null when the provider has no key, which local servers accept. */
  api_key: string | null;
  /** Sent along with every request, as the provider names the fields. */
  extra_args: Record<string, unknown>;
  /** The guarded HTTP client; a requester uses no other. */
  fetch: typeof globalThis.fetch;
}

/** Connection parameters of a provider. */
export type ProviderConnection = Pick<ModelConnection, 'base_url' | 'api_key' | 'fetch'>;

/** A model that a provider offers. */
export interface AvailableModel {
  /** Model id, the `model_name` of a {@link ModelConnection}. */
  id: string;
  /** Absent when the provider does not return the kind. */
  kinds?: readonly ModelKind[];
  /** The provider's display name of the model. */
  label?: string;
}

/**
 * A kind of model provider, that is, its protocol. Supports exactly the kinds of models that `support_type` names.
 */
export interface ModelRequester {
  /** Name in a provider's `requester` field. */
  name: string;
  label: I18nText;
  description: I18nText;
  /** Name of the brand in Simple Icons, whose logo is shown. Default: a monogram. @see https://simpleicons.org */
  brand?: string;
  category: 'manufacturer' | 'maas' | 'self-hosted' | 'builtin';
  support_type: readonly ModelKind[];
  /** Offered as the address of a new provider; empty when the requester uses no network. */
  default_base_url: string;
  /** Why no model of it can be opened here, for requesters that are known only by name. */
  unavailable?: I18nText;
  /** Present when `support_type` names `llm`. */
  languageModel?(connection: ModelConnection): Promise<LanguageModel>;
  /** Present when `support_type` names `text-embedding`. */
  embeddingModel?(connection: ModelConnection): Promise<EmbeddingModel>;
  /** Present when `support_type` names `rerank`. */
  rerankingModel?(connection: ModelConnection): Promise<RerankingModel>;
  /** Lists the provider's models, without duplicates. Absent if the provider has no such list. */
  listModels?(connection: ProviderConnection, signal: AbortSignal): Promise<AvailableModel[]>;
}
