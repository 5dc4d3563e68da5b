import { ParleyError, problemError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { isUuid } from '../../lib/uuid.ts';
import type { Author } from '../accounts/author.ts';
import { type ExpectedTags, requireTag, type Tagged } from '../records/record-tag.ts';
import type { Pipeline, PipelineContent, StoredPipeline, UpdatePipeline } from './pipeline.ts';
import { type PipelineChanger, tagOf } from './pipeline-changer.ts';
import type { PipelineStore } from './pipeline-store.ts';
import type {
  DraftedPipeline,
  PipelineVersion,
  PipelineVersionContent,
  StoredDraft,
  VersionAuthor,
} from './pipeline-version.ts';

/** Who writes, and what is expected of the stored state. */
export interface WriteOptions {
  author?: Author;
  by?: VersionAuthor | null;
  expected?: ExpectedTags;
}

/** Earlier states of pipelines, and drafts that are tried before they are published. Methods throw `not_found`. */
export class PipelineVersions {
  readonly #store: PipelineStore;
  readonly #changer: PipelineChanger;

  constructor(store: PipelineStore, changer: PipelineChanger) {
    this.#store = store;
    this.#changer = changer;
  }

  /** Latest first; the first is the published one. */
  async list(uuid: string): Promise<PipelineVersion[]> {
    return this.#store.versions((await this.#stored(uuid)).uuid);
  }

  async get(uuid: string, version: number): Promise<PipelineVersionContent> {
    const { uuid: id } = await this.#stored(uuid);
    const { content, ...shown } = await this.#version(id, version);
    const { sealed_secrets: _, admin_addresses: __, ...pipeline } = content;
    return { ...shown, pipeline };
  }

  /**
   * Publishes an earlier version again, with the secrets that it had.
   * @throws ParleyError as an update of the pipeline, if the version does not fit what there is now
   */
  async restore(uuid: string, version: number, { author = 'other', by = null, expected = null }: WriteOptions = {}) {
    const stored = await this.#stored(uuid);
    const { content } = await this.#version(stored.uuid, version);
    const change = await this.#changer.prepare(requestOf(content), stored.config, author);
    const refusal = await this.#store.update(
      stored.uuid,
      (current) => {
        requireTag(expected, () => tagOf(current));
        return { ...change.of(withConfigOf(current, content)), restored_from: version, updated_at: now() };
      },
      by,
    );
    this.#changer.require(refusal, change.config);
  }

  /** The pipeline with its draft, or as it is published while there is none. The tag is of what is shown. */
  async draft(uuid: string): Promise<Tagged<DraftedPipeline>> {
    const stored = await this.#stored(uuid);
    const draft = await this.#store.draft(stored.uuid);
    const shown = drafted(stored, draft);
    const { sealed_secrets: _, admin_addresses: __, ...pipeline } = shown;
    return { record: { pipeline: draftedAt(pipeline, draft), draft: described(draft) }, tag: () => tagOf(shown) };
  }

  /**
   * Replaces the given fields in the draft, which begins as what is published.
   * @throws ParleyError as an update of the pipeline
   */
  async saveDraft(
    uuid: string,
    request: UpdatePipeline,
    { author = 'other', by = null, expected = null }: WriteOptions = {},
  ): Promise<void> {
    const stored = await this.#stored(uuid);
    const before = drafted(stored, await this.#store.draft(stored.uuid));
    const change = await this.#changer.prepare(request, before.config, author);
    const refusal = await this.#store.saveDraft(
      stored.uuid,
      (current, draft) => {
        const present = drafted(current, draft);
        requireTag(expected, () => tagOf(present));
        const { configuration, ...fields } = change.of(present);
        const { models = [], ...config } = configuration ?? {};
        const base_version = draft?.base_version ?? current.version;
        return { content: { ...contentIn(present), ...fields, ...config }, models, base_version, updated_at: now() };
      },
      by,
    );
    this.#changer.require(refusal, change.config);
  }

  async discardDraft(uuid: string): Promise<void> {
    if (!(isUuid(uuid) && (await this.#store.discardDraft(uuid.toLowerCase())))) throw noDraft();
  }

  /**
   * Makes the draft what bots answer with.
   * @param replaces the version that must be published now; null for any
   * @throws ParleyError `record_changed` if another version is published; else as an update of the pipeline
   */
  async publish(
    uuid: string,
    replaces: number | null,
    { author = 'other', by = null, expected = null }: WriteOptions = {},
  ): Promise<void> {
    const stored = await this.#stored(uuid);
    const draft = await this.#store.draft(stored.uuid);
    if (draft === null) throw noDraft();
    const change = await this.#changer.prepare(requestOf(draft.content), stored.config, author);
    const refusal = await this.#store.update(
      stored.uuid,
      (current, present) => {
        if (present === null) throw noDraft();
        requireTag(expected, () => tagOf(drafted(current, present)));
        if (present.updated_at !== draft.updated_at || (replaces !== null && replaces !== current.version)) {
          throw new ParleyError('record_changed', 'The pipeline was changed since the draft was begun. Read it again');
        }
        const changes = change.of(withConfigOf(current, present.content));
        return { ...changes, removes_draft: true, updated_at: now() };
      },
      by,
    );
    this.#changer.require(refusal, change.config);
  }

  async #stored(uuid: string): Promise<StoredPipeline> {
    const stored = isUuid(uuid) ? await this.#store.storedByUuid(uuid.toLowerCase()) : null;
    if (stored === null) throw problemError('pipeline_not_found');
    return stored;
  }

  async #version(uuid: string, version: number) {
    const found = await this.#store.version(uuid, version);
    if (found === null) throw problemError('pipeline_version_not_found');
    return found;
  }
}

function noDraft(): ParleyError {
  return problemError('pipeline_without_draft');
}

function drafted(stored: StoredPipeline, draft: StoredDraft | null): StoredPipeline {
  return draft === null ? stored : { ...stored, ...draft.content };
}

function draftedAt(pipeline: Pipeline, draft: StoredDraft | null): Pipeline {
  return draft === null ? pipeline : { ...pipeline, updated_at: draft.updated_at };
}

function described(draft: StoredDraft | null): DraftedPipeline['draft'] {
  if (draft === null) return null;
  const { content: _, ...shown } = draft;
  return shown;
}

/** A request that sets all of a content. */
function requestOf({ name, description, emoji, config, extensions_preferences }: PipelineContent): UpdatePipeline {
  return { name, description, emoji, config, extensions_preferences };
}

function contentIn(stored: StoredPipeline): PipelineContent {
  const { name, description, emoji, config, extensions_preferences, sealed_secrets, admin_addresses } = stored;
  return { name, description, emoji, config, extensions_preferences, sealed_secrets, admin_addresses };
}

/** The published state with the masks, secrets and approved addresses of another one, so that these stay. */
function withConfigOf(current: StoredPipeline, { config, sealed_secrets, admin_addresses }: PipelineContent) {
  return { ...current, config, sealed_secrets, admin_addresses };
}
