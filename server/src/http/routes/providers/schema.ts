import Type from 'typebox';
import { CreateProvider, Provider } from '../../../core/models/provider.ts';

export const ProviderParams = Type.Object({ provider_uuid: Type.String({ format: 'uuid' }) });
export const ProviderAnswer = Type.Object({ provider: Provider });
export const ProviderList = Type.Object({ providers: Type.Array(Provider) });
export const CreatedProvider = Type.Object({ uuid: Type.String({ format: 'uuid' }) });
export { CreateProvider };
