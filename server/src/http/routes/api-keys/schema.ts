import Type from 'typebox';
import { ApiKey, CreateApiKey, Scope, UpdateApiKey } from '../../../core/accounts/api-key.ts';
import { ApiKeyUsage } from '../../../core/monitoring/monitoring.ts';
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
export const ApiKeyUsageQuery = Type.Object({
  since: Type.Optional(Type.String({ format: 'iso-date-time', description: 'Requests from then on; default: all.' })),
});
export const ApiKeyUsageList = Type.Object({
  usage: Type.Array(ApiKeyUsage, { description: 'Keys that used nothing are omitted.' }),
});
export const ApiKeyAnswer = Type.Object({ key: ApiKey });
export { CreateApiKey, UpdateApiKey };
