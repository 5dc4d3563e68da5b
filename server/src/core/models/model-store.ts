import type { ModelKind } from '@parley/sdk';
import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import type { ModelFilter, StoredModel } from './model.ts';
import type { Provider, StoredProvider } from './provider.ts';

/**
 * Selects the provider of a model, a stored one or a new one to store with the model. It runs in the transaction that
 * writes the model, so its decision still holds then; an error rolls back everything.
 */
export type ChooseProvider = (stored: StoredProvider[]) => { provider: StoredProvider; isNew: boolean };

/** A record that prevents the deletion of another. */
export interface RecordInUse {
  uuid: string;
  name: string;
}

/** A record that names a model, so that it cannot be deleted. */
export type ModelUser = RecordInUse & { kind: 'pipeline' | 'knowledge_base' };

/** Every change is one serialized transaction. */
export interface ModelStore {
  providers(): Promise<Provider[]>;
  provider(uuid: string): Promise<Provider | null>;
  /** With the sealed keys. */
  storedProvider(uuid: string): Promise<StoredProvider | null>;
  storedProviders(): Promise<StoredProvider[]>;
  createProvider(provider: StoredProvider): Promise<void>;
  /**
   * @param change receives the kinds that the provider has models of; an error leaves the record unchanged
   * @returns false when there is no such provider
   */
  updateProvider(
    uuid: string,
    change: (stored: StoredProvider, kinds: ModelKind[]) => StoredProvider,
  ): Promise<boolean>;
  /** @returns the models that prevent its deletion, empty when it was deleted, null when there is none */
  deleteProvider(uuid: string): Promise<(RecordInUse & { kind: ModelKind })[] | null>;

  models(kind: ModelKind, providerUuid?: string): Promise<StoredModel[]>;
  modelPage(kind: ModelKind, listing: RecordListing & ModelFilter): Promise<ListedRecords<StoredModel>>;
  /** All matches of a listing, by uuid. */
  modelNames(kind: ModelKind, listing: RecordListing & ModelFilter): Promise<NamedRecord[]>;
  model(kind: ModelKind, uuid: string): Promise<StoredModel | null>;
  createModel(kind: ModelKind, model: Omit<StoredModel, 'provider_uuid'>, choose: ChooseProvider): Promise<void>;
  /**
   * @param choose null to retain the provider
   * @returns false when there is no such model
   */
  updateModel(
    kind: ModelKind,
    uuid: string,
    change: (stored: StoredModel) => StoredModel,
    choose: ChooseProvider | null,
  ): Promise<boolean>;
  /** @returns the records that prevent its deletion, empty when it was deleted, null when there is none */
  deleteModel(kind: ModelKind, uuid: string): Promise<ModelUser[] | null>;
}
