import Type from 'typebox';
import { Adapter } from '../../../core/bots/adapter.ts';

export const AdapterParams = Type.Object({ adapter_name: Type.String() });
export const AdapterAnswer = Type.Object({ adapter: Adapter });
export const AdapterList = Type.Object({ adapters: Type.Array(Adapter) });
