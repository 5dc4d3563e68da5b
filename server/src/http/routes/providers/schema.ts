import Type from 'typebox';
import { AvailableModels } from '../../../core/models/model-catalog.ts';
import { CreateProvider, NamedProvider, Provider, UpdateProvider } from '../../../core/models/provider.ts';

export const ProviderParams = Type.Object({ provider_uuid: Type.String({ format: 'uuid' }) });
export const ProviderAnswer = Type.Object({ provider: Provider });
export const ProviderList = Type.Object({ providers: Type.Array(Provider) });
export const CreatedProvider = Type.Object({ uuid: Type.String({ format: 'uuid' }) });
/** Read-only fields of a provider. */
export const readOnlyProviderFields = [
  'uuid',
  'llm_count',
  'embedding_count',
  'rerank_count',
  'created_at',
  'updated_at',
];
/** The same of a provider that a request describes. */
export const readOnlyNamedProviderFields = readOnlyProviderFields
  .filter((field) => field !== 'uuid')
  .map((field) => `provider.${field}`);
export { AvailableModels, CreateProvider, NamedProvider, UpdateProvider };
