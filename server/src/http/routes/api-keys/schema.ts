import Type from 'typebox';
import { ApiKey, CreateApiKey, Scope, UpdateApiKey } from '../../../core/accounts/api-key.ts';
import { listParameters, total } from '../../record-lists.ts';

export const ApiKeyId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
export const ApiKeyParams = Type.Object({ id: ApiKeyId });
export const apiKeyOrders = ['name', 'owner', 'last_used_at', 'expires_at', 'created_at'] as const;
export const apiKeyFilters = {
  state: Type.Optional(Type.Enum(['valid', 'expired'])),
  scope: Type.Optional(Scope),
};
export const ApiKeyQuery = Type.Object(listParameters(apiKeyOrders, apiKeyFilters));
export const ApiKeyList = Type.Object({ keys: Type.Array(ApiKey), total });
export const ApiKeyAnswer = Type.Object({ key: ApiKey });
export { CreateApiKey, UpdateApiKey };
