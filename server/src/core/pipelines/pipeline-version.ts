import Type, { type Static } from 'typebox';
import { nullable } from '../../lib/schema-parts.ts';
import { Pipeline, type PipelineContent } from './pipeline.ts';

/** Versions of a pipeline that are kept: the latest ones. */
export const maximumVersions = 100;

export const VersionAuthor = Type.Object(
  {
    kind: Type.Enum(['user', 'api-key']),
    id: Type.String({ description: 'The account or the API key.' }),
    name: Type.String({ description: 'Its name at that time.' }),
  },
  { title: 'VersionAuthor' },
);
export type VersionAuthor = Static<typeof VersionAuthor>;

const author = nullable(VersionAuthor, 'Null if the service wrote it by itself.');

/** A published state of a pipeline. */
export const PipelineVersion = Type.Object(
  {
    version: Type.Integer({ description: 'From 1.' }),
    author,
    created_at: Type.String({ format: 'date-time' }),
    restored_from: nullable(Type.Integer(), 'The version that it repeats.'),
  },
  { title: 'PipelineVersion' },
);
export type PipelineVersion = Static<typeof PipelineVersion>;

/** Latest first. */
export const PipelineVersions = Type.Object({ versions: Type.Array(PipelineVersion) }, { title: 'PipelineVersions' });

const contentFields = ['name', 'description', 'emoji', 'config', 'extensions_preferences'] as const;

export const PipelineVersionContent = Type.Object(
  { ...PipelineVersion.properties, pipeline: Type.Pick(Pipeline, contentFields) },
  { title: 'PipelineVersionContent' },
);
/** A version with what it holds; secrets are masked. */
export type PipelineVersionContent = PipelineVersion & { pipeline: Pick<Pipeline, (typeof contentFields)[number]> };

export const PipelineDraft = Type.Object(
  {
    base_version: Type.Integer({ description: 'The published version when the draft was begun.' }),
    author,
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'PipelineDraft' },
);
export type PipelineDraft = Static<typeof PipelineDraft>;

/** A pipeline with its draft in place of what is published; `draft` is null while there is none. */
export const DraftedPipeline = Type.Object(
  { pipeline: Pipeline, draft: nullable(PipelineDraft) },
  { title: 'DraftedPipeline' },
);
export interface DraftedPipeline {
  pipeline: Pipeline;
  draft: PipelineDraft | null;
}

export type StoredVersion = PipelineVersion & { content: PipelineContent };
export type StoredDraft = PipelineDraft & { content: PipelineContent };

/** Which state of a pipeline to run instead of the published one: its draft, or an earlier version. */
export type PipelineState = 'draft' | number;
