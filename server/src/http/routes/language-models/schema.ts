import Type from 'typebox';
import { CreateLanguageModel, LanguageModelRecord } from '../../../core/models/language-model.ts';

export const LanguageModelQuery = Type.Object({
  provider_uuid: Type.Optional(
    Type.String({ description: 'Only models of this provider, without the provider in each.' }),
  ),
});
export const LanguageModelList = Type.Object({ models: Type.Array(LanguageModelRecord) });
export const CreatedLanguageModel = Type.Object({ uuid: Type.String({ format: 'uuid' }) });
export { CreateLanguageModel };
