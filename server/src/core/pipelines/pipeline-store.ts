import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import type { Pipeline, PipelineContent, PipelineFilter, PipelineListing, StoredPipeline } from './pipeline.ts';
import type { PipelineVersion, StoredDraft, StoredVersion, VersionAuthor } from './pipeline-version.ts';

/** Why a write was refused. Nothing has changed then. */
export type PipelineRefusal =
  | { reason: 'not_found' }
  /** The configuration names models that do not exist, or are no language models. */
  | { reason: 'unknown_models'; models: string[] }
  | { reason: 'limit_reached' }
  | { reason: 'default_pipeline' }
  /** Bots are bound to it, or send messages to it by a rule. */
  | { reason: 'in_use'; bots: { uuid: string; name: string }[] };

/** The fields of a pipeline to write; omitted ones stay unchanged. */
export interface PipelineChanges
  extends Partial<Pick<StoredPipeline, 'name' | 'description' | 'emoji' | 'extensions_preferences'>> {
  /** Together, since the secrets are those that the configuration shows masked. */
  configuration?: Pick<StoredPipeline, 'config' | 'sealed_secrets' | 'admin_addresses'> & {
    /** uuids of the language models that the configuration names. */
    models: string[];
  };
  /** The version that this one repeats. */
  restored_from?: number;
  /** Whether the draft is dropped, because these changes are what it held. */
  removes_draft?: true;
  updated_at: string;
}

/** A draft to store. */
export interface DraftToSave {
  content: PipelineContent;
  /** uuids of the language models that its configuration names. */
  models: string[];
  base_version: number;
  updated_at: string;
}

export interface CreatePipelineOptions {
  /** Most pipelines that there may be with this one; -1 for no limit. */
  maximum: number;
  /** uuids of the language models that the configuration names. */
  models: string[];
  /** `skip` drops unknown references, for a configuration that is stored already. */
  unknownModels: 'refuse' | 'skip';
  author: VersionAuthor | null;
}

/** Pipelines, and the models that each of them uses. Every method is atomic. */
export interface PipelineStore {
  list(listing: PipelineListing): Promise<Pipeline[]>;
  page(listing: RecordListing & PipelineFilter): Promise<ListedRecords<Pipeline>>;
  /** All matches of a listing, by uuid. */
  names(listing: RecordListing & PipelineFilter): Promise<NamedRecord[]>;
  byUuid(uuid: string): Promise<Pipeline | null>;
  /** With the sealed secrets. */
  storedByUuid(uuid: string): Promise<StoredPipeline | null>;
  default(): Promise<StoredPipeline | null>;
  /** @returns null on success */
  create(pipeline: StoredPipeline, options: CreatePipelineOptions): Promise<PipelineRefusal | null>;
  /**
   * Changes the published state, and records it as a version if its content differs.
   * @param change receives the stored record and its draft, which are locked meanwhile; null changes nothing, and its
   * errors are rethrown
   * @returns null on success
   */
  update(
    uuid: string,
    change: (stored: StoredPipeline, draft: StoredDraft | null) => PipelineChanges | null,
    author?: VersionAuthor | null,
  ): Promise<PipelineRefusal | null>;
  /** @returns null when it was deleted */
  delete(uuid: string): Promise<PipelineRefusal | null>;
  /** Makes it the default in place of the previous one. @returns false when there is no such pipeline */
  makeDefault(uuid: string, updatedAt: string): Promise<boolean>;
  /** Latest first. */
  versions(uuid: string): Promise<PipelineVersion[]>;
  version(uuid: string, version: number): Promise<StoredVersion | null>;
  draft(uuid: string): Promise<StoredDraft | null>;
  /** @param draft as `change` of {@link update} @returns null on success */
  saveDraft(
    uuid: string,
    draft: (stored: StoredPipeline, draft: StoredDraft | null) => DraftToSave,
    author: VersionAuthor | null,
  ): Promise<PipelineRefusal | null>;
  /** @returns false when there was none */
  discardDraft(uuid: string): Promise<boolean>;
}
