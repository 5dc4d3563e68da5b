import { I18nText } from '@parley/sdk';
import Type from 'typebox';
import { FormField } from '../../../core/forms/form-fields.ts';

const SettingsForm = Type.Object({ schema: Type.Array(FormField) });

export const KnowledgeEngine = Type.Object(
  {
    plugin_id: Type.String(),
    name: I18nText,
    description: I18nText,
    capabilities: Type.Array(Type.String(), {
      description:
        '`doc_ingestion`: documents can be attached. `doc_parsing`: the engine parses files itself, without a parser.',
    }),
    creation_schema: SettingsForm,
    retrieval_schema: SettingsForm,
  },
  { title: 'KnowledgeEngine' },
);

export const DocumentParser = Type.Object(
  {
    plugin_id: Type.String(),
    plugin_author: Type.String(),
    plugin_name: Type.String(),
    name: I18nText,
    description: I18nText,
    supported_mime_types: Type.Array(Type.String()),
    extensions: Type.Array(Type.String(), { description: 'In lower case, without the dot.' }),
  },
  { title: 'DocumentParser' },
);

export const KnowledgeEngineList = Type.Object({ engines: Type.Array(KnowledgeEngine) });
export const SettingsFormAnswer = Type.Object({ schema: SettingsForm });
export const EngineParams = Type.Object({
  plugin_id: Type.String({ description: '`author/name`, with the slash percent-encoded.' }),
});
export const EngineNameParams = Type.Object({ plugin_author: Type.String(), plugin_name: Type.String() });
export const DocumentParserList = Type.Object({ parsers: Type.Array(DocumentParser) });
export const ParserQuery = Type.Object({
  mime_type: Type.Optional(Type.String({ description: 'Only parsers that read this type of file.' })),
});
