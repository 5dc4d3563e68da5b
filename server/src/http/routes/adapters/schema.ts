import Type from 'typebox';
import { Adapter, TestAdapterConfig, TestedAdapterConfig } from '../../../core/bots/adapter.ts';
import { AdapterLogin, StartAdapterLogin } from '../../../core/bots/adapter-login.ts';

export const AdapterParams = Type.Object({ adapter_name: Type.String() });
export const AdapterAnswer = Type.Object({ adapter: Adapter });
export const AdapterList = Type.Object({ adapters: Type.Array(Adapter) });
export const AdapterLoginParams = Type.Object({ adapter_name: Type.String(), login_id: Type.String() });
export { AdapterLogin, StartAdapterLogin, TestAdapterConfig, TestedAdapterConfig };
