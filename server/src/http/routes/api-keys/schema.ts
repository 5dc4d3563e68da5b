import Type from 'typebox';
import { ApiKey, CreateApiKey, UpdateApiKey } from '../../../core/accounts/api-key.ts';

export const ApiKeyParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });
export const ApiKeyList = Type.Object({ keys: Type.Array(ApiKey) });
export const ApiKeyAnswer = Type.Object({ key: ApiKey });
export { CreateApiKey, UpdateApiKey };
