import type { LanguageModelRecord } from './language-model.ts';
import type { Provider, StoredProvider } from './provider.ts';

/** A language model without the provider that some answers carry along. */
export type StoredLanguageModel = Omit<LanguageModelRecord, 'provider'>;

export interface ModelStore {
  providers(): Promise<Provider[]>;
  provider(uuid: string): Promise<Provider | null>;
  /** With the sealed keys. */
  storedProvider(uuid: string): Promise<StoredProvider | null>;
  storedProviders(): Promise<StoredProvider[]>;
  createProvider(provider: StoredProvider): Promise<void>;
  languageModels(providerUuid?: string): Promise<StoredLanguageModel[]>;
  languageModel(uuid: string): Promise<StoredLanguageModel | null>;
  /** False when the provider is gone. */
  createLanguageModel(model: StoredLanguageModel): Promise<boolean>;
}
