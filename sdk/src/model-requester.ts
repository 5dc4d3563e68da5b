import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { I18nText } from './i18n-text.ts';

/** The contract of a language model is the AI SDK's own. */
export type LanguageModel = LanguageModelV4;

/** What a requester needs to reach one model. */
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

/** A kind of model provider: how requests to it are made. */
export interface ModelRequester {
  /** Name in a provider's `requester` field. */
  name: string;
  label: I18nText;
  description: I18nText;
  category: 'manufacturer' | 'maas' | 'self-hosted' | 'builtin';
  support_type: readonly ('llm' | 'text-embedding' | 'rerank')[];
  /** Offered as the address of a new provider; empty when the requester uses no network. */
  default_base_url: string;
  languageModel(connection: ModelConnection): Promise<LanguageModel>;
}
