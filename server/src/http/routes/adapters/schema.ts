import Type from 'typebox';
import { Adapter, TestAdapterConfig, TestedAdapterConfig } from '../../../core/bots/adapter.ts';

export const AdapterParams = Type.Object({ adapter_name: Type.String() });
export const AdapterAnswer = Type.Object({ adapter: Adapter });
export const AdapterList = Type.Object({ adapters: Type.Array(Adapter) });
export { TestAdapterConfig, TestedAdapterConfig };
