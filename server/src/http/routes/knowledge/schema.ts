import { I18nText } from '@parley/sdk';
import Type from 'typebox';
import { FormField } from '../../../core/forms/form-fields.ts';

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);
const Settings = Type.Record(Type.String(), Type.Unknown());

export const KnowledgeBase = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    name: Type.String(),
    description: Type.String(),
    emoji: nullable(Type.String()),
    knowledge_engine_plugin_id: nullable(Type.String({ description: '`author/name` of the engine.' })),
    collection_id: Type.String(),
    creation_settings: nullable(Settings),
    retrieval_settings: nullable(Settings),
    knowledge_engine: Type.Object({
      plugin_id: nullable(Type.String()),
      name: I18nText,
      capabilities: Type.Array(Type.String()),
    }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'KnowledgeBase' },
);

export const KnowledgeBaseFile = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    kb_id: Type.String({ format: 'uuid' }),
    file_name: Type.String(),
    extension: Type.String({ description: 'In lower case, without its dot.' }),
    status: Type.String({ description: '`pending`, `processing`, `completed` or `failed`.' }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'KnowledgeBaseFile' },
);

const SettingsForm = Type.Object({ schema: Type.Array(FormField) });

export const KnowledgeEngine = Type.Object(
  {
    plugin_id: Type.String(),
    name: I18nText,
    description: I18nText,
    capabilities: Type.Array(Type.String()),
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
  },
  { title: 'DocumentParser' },
);

export const KnowledgeBaseParams = Type.Object({ knowledge_base_uuid: Type.String({ format: 'uuid' }) });
export const KnowledgeBaseList = Type.Object({ bases: Type.Array(KnowledgeBase) });
export const KnowledgeBaseAnswer = Type.Object({ base: KnowledgeBase });
export const KnowledgeBaseFileList = Type.Object({ files: Type.Array(KnowledgeBaseFile) });
export const KnowledgeEngineList = Type.Object({ engines: Type.Array(KnowledgeEngine) });
export const DocumentParserList = Type.Object({ parsers: Type.Array(DocumentParser) });
export const ParserQuery = Type.Object({
  mime_type: Type.Optional(Type.String({ description: 'Only parsers that read this type of file.' })),
});
export const MigrationStatus = Type.Object({
  needed: Type.Boolean(),
  internal_kb_count: Type.Integer({ minimum: 0 }),
  external_kb_count: Type.Integer({ minimum: 0 }),
});
