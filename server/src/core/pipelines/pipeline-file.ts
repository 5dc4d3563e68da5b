import Type, { type Static } from 'typebox';
import { ExtensionsPreferences } from './pipeline.ts';

export const pipelineFileFormat = 'parley-pipeline';
/** Raised when files are written that former versions cannot read. */
export const pipelineFileVersion = 1;

const Names = Type.Record(Type.String(), Type.String({ maxLength: 255 }), { description: 'Names by uuid.' });

/** Records that a pipeline refers to, as the installation that exported it names them. */
const References = Type.Object(
  { models: Names, knowledge_bases: Names, mcp_servers: Names },
  { additionalProperties: false },
);
export type References = Static<typeof References>;

/** An exported pipeline: without secrets, and without what only one installation knows. */
export const PipelineFile = Type.Object(
  {
    format: Type.Literal(pipelineFileFormat),
    format_version: Type.Integer(),
    pipeline: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 255 }),
        description: Type.String({ maxLength: 255 }),
        emoji: Type.Union([Type.String({ maxLength: 10 }), Type.Null()]),
        config: Type.Record(Type.String(), Type.Unknown()),
        extensions_preferences: ExtensionsPreferences,
      },
      { additionalProperties: false },
    ),
    references: References,
  },
  { title: 'PipelineFile', additionalProperties: false },
);
export type PipelineFile = Static<typeof PipelineFile>;

export const ImportPipeline = Type.Object(
  {
    file: Type.Record(Type.String(), Type.Unknown(), { description: 'What the export returned.' }),
    replacements: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 255 }), {
        description:
          'By uuid of a model, a knowledge base or an MCP server of the file: the uuid of the one to use instead, or an empty text for none. Required for those that do not exist here.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ImportPipeline = Static<typeof ImportPipeline>;
