import { type ParleyError, type PipelineMessage, problemError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { freeze } from '../../lib/freeze.ts';
import { nameOfCopy } from '../../lib/name-of-copy.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { Author } from '../accounts/author.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import type { FormTab } from '../forms/form-fields.ts';
import type { McpServer } from '../mcp/mcp-server.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
import { openConfig, replaceSecrets, type SecretValues, sealSecrets } from '../secrets/secret-fields.ts';
import { apiVersion } from '../system/system-info.ts';
import type { ToolAccess, ToolPurpose } from '../tools/tool-access.ts';
import { type ModelChoice, modelPlaces } from './named-models.ts';
import { type PatternCheck, patternFaults } from './named-patterns.ts';
import {
  type BoundExtensions,
  type CreatePipeline,
  type Pipeline,
  type PipelineExtensions,
  type PipelineFilter,
  type PipelineListing,
  pipelineStages,
  type StoredPipeline,
  type UpdatePipeline,
} from './pipeline.ts';
import { modelsOf, PipelineChanger, requirePatterns, secretContext, tagOf } from './pipeline-changer.ts';
import type { PipelineConfig, StoredConfig } from './pipeline-config.ts';
import type { PipelineSchema } from './pipeline-schema.ts';
import type { PipelineChanges, PipelineRefusal, PipelineStore } from './pipeline-store.ts';
import type { PipelineState, VersionAuthor } from './pipeline-version.ts';
import { boundOf, completePreferences, requireBindings } from './server-bindings.ts';
import { noTools, toolAccess } from './tool-users.ts';

export interface PipelineServiceOptions {
  /** The MCP servers that a pipeline may use. None when omitted. */
  mcpServers?: () => Promise<McpServer[]>;
  /** The installed plugins that a pipeline can be bound to, as they are shown. */
  plugins?: () => Record<string, unknown>[];
  /** Most pipelines there may be; -1 for no limit. */
  maximumPipelines: number;
  addresses: AddressRules;
  /** Validates a regular expression of a new configuration. */
  checkPattern: PatternCheck;
  /** The configuration with the extensions that there are now. */
  schema: () => PipelineSchema;
  /** Reads a record to process a claimed message, perhaps from memory. From the store when omitted. */
  recordForRun?: (uuid: string) => Promise<StoredPipeline | null>;
}

/** A state of a pipeline to process a message with. */
export interface RunState {
  stored: StoredPipeline;
  /** The number of the version; of a draft, the version that it was begun from. */
  version: number;
  /** Null for a published version. */
  draft: { updated_at: string } | null;
}

/** What a message needs of a configuration, and what it was read with. */
type RunConfig = { schema: PipelineSchema; config: PipelineConfig };

/** Pipelines and their configuration. */
export class PipelineService {
  readonly #store: PipelineStore;
  readonly #secrets: SecretBox;
  readonly #options: PipelineServiceOptions;
  readonly #changer: PipelineChanger;
  /** By the records that they were read from, so that opened secrets vanish with those. */
  readonly #runConfigs = new WeakMap<StoredPipeline, RunConfig>();
  readonly #recordForRun: (uuid: string) => Promise<StoredPipeline | null>;

  constructor(store: PipelineStore, secrets: SecretBox, options: PipelineServiceOptions) {
    this.#store = store;
    this.#secrets = secrets;
    this.#options = options;
    this.#changer = new PipelineChanger(secrets, options);
    this.#recordForRun = options.recordForRun ?? ((uuid) => store.storedByUuid(uuid));
  }

  /** The form for the configuration, with the extensions that there are now. */
  get form(): readonly FormTab[] {
    return this.#options.schema().form;
  }

  list(listing: PipelineListing): Promise<Pipeline[]> {
    return this.#store.list(listing);
  }

  page(listing: RecordListing & PipelineFilter): Promise<ListedRecords<Pipeline>> {
    return this.#store.page(listing);
  }

  /** All matches, by uuid. */
  names(listing: RecordListing & PipelineFilter): Promise<NamedRecord[]> {
    return this.#store.names(listing);
  }

  /** @throws ParleyError `not_found`, as every method that takes a uuid */
  async get(uuid: string): Promise<Pipeline> {
    return (await this.tagged(uuid)).record;
  }

  async tagged(uuid: string): Promise<Tagged<Pipeline>> {
    const stored = isUuid(uuid) ? await this.#store.storedByUuid(uuid.toLowerCase()) : null;
    if (stored === null) throw notFound();
    const { sealed_secrets: _, admin_addresses: __, ...pipeline } = stored;
    return { record: pipeline, tag: () => tagOf(stored) };
  }

  /** The state of a pipeline to process a message with; null when the pipeline or the state was deleted. */
  async stateForRun(uuid: string, state: PipelineState | null = null): Promise<RunState | null> {
    const published = await this.#recordForRun(uuid);
    if (published === null || state === null)
      return published && { stored: published, version: published.version, draft: null };
    if (state === 'draft') {
      const draft = await this.#store.draft(uuid);
      // Without edits, the draft is what is published.
      if (draft === null) return { stored: published, version: published.version, draft: null };
      const { content, base_version, updated_at } = draft;
      return { stored: { ...published, ...content }, version: base_version, draft: { updated_at } };
    }
    const version = await this.#store.version(uuid, state);
    return version && { stored: { ...published, ...version.content }, version: version.version, draft: null };
  }

  /** The full configuration with its secrets in clear, to process a message; null when the pipeline was deleted. */
  async configForRun(uuid: string): Promise<PipelineConfig | null> {
    const state = await this.stateForRun(uuid);
    return state && this.configOf(state);
  }

  configOf({ stored }: RunState): PipelineConfig {
    const { uuid } = stored;
    const schema = this.#options.schema();
    const { config, sealed_secrets } = stored;
    const known = this.#runConfigs.get(stored);
    if (known?.schema === schema) return known.config;
    const opened = openConfig(this.#secrets, schema.of(config), config, sealed_secrets, secretContext(uuid));
    const read = schema.read(opened);
    for (const settings of [read.runner.settings, read.shared, read.answers, ...read.stages.values()]) freeze(settings);
    this.#runConfigs.set(stored, { schema, config: read });
    return read;
  }

  /**
   * @param options `isDefault` is for the first pipeline, which there is whatever the limit
   * @returns the new pipeline's uuid
   * @throws ParleyError `invalid_request`, `secret_required`, `private_address` or `limit_reached`
   */
  async create(
    request: CreatePipeline,
    {
      isDefault = false,
      author = 'other',
      by = null,
    }: { isDefault?: boolean; author?: Author; by?: VersionAuthor | null } = {},
  ): Promise<string> {
    const preferences = completePreferences(request.extensions_preferences ?? {}, null);
    requireBindings(null, preferences, author);
    const schema = this.#options.schema();
    const config = schema.complete(request.config ?? {});
    const decide = await this.#changer.decide(config, author);
    requirePatterns(await patternFaults(schema.schema, config, this.#options.checkPattern), null);
    const [masked, secrets] = replaceSecrets(schema.of(config), config, null, 'config');
    const pipeline = this.#newPipeline(
      {
        name: request.name,
        description: request.description ?? '',
        emoji: request.emoji === undefined ? '⚙️' : request.emoji,
        is_default: isDefault,
        stages: pipelineStages,
        config: masked,
        extensions_preferences: preferences,
        admin_addresses: decide(null),
      },
      secrets,
    );
    const maximum = isDefault ? -1 : this.#options.maximumPipelines;
    const models = modelsOf(schema, config);
    const refusal = await this.#store.create(pipeline, { maximum, models, unknownModels: 'refuse', author: by });
    this.#changer.require(refusal, config);
    return pipeline.uuid;
  }

  /**
   * Replaces the given fields. A configuration replaces the stored one completely; masked secrets stay.
   * @throws ParleyError `not_found`, `invalid_request`, `secret_required`, `private_address` or `record_changed`
   */
  async update(
    uuid: string,
    request: UpdatePipeline,
    author: Author = 'other',
    { expected = null, by = null }: { expected?: ExpectedTags; by?: VersionAuthor | null } = {},
  ): Promise<void> {
    const before = isUuid(uuid) ? await this.#store.byUuid(uuid.toLowerCase()) : null;
    const change = await this.#changer.prepare(request, before?.config ?? null, author);
    const refusal = await this.#change(
      uuid,
      (stored) => {
        requireTag(expected, () => tagOf(stored));
        return { ...change.of(stored), updated_at: now() };
      },
      by,
    );
    this.#changer.require(refusal, change.config);
  }

  /** Input of {@link FetchFor} to process a message; empty when the pipeline was deleted. */
  async adminAddresses(uuid: string, state: PipelineState | null = null): Promise<readonly string[] | null> {
    const run = await this.stateForRun(uuid, state);
    return run === null ? [] : run.stored.admin_addresses;
  }

  /** @throws ParleyError `not_found`, `default_pipeline`, or `in_use` with the bots that name it */
  async delete(uuid: string): Promise<void> {
    this.#changer.require(isUuid(uuid) ? await this.#store.delete(uuid.toLowerCase()) : { reason: 'not_found' });
  }

  /**
   * Makes another pipeline like this one, secrets included.
   * @returns the new pipeline's uuid
   * @throws ParleyError `not_found`, `limit_reached`, or `scope_required` when it has MCP servers and the author is no admin
   */
  async copy(uuid: string, author: Author = 'other', by: VersionAuthor | null = null): Promise<string> {
    const source = isUuid(uuid) ? await this.#store.storedByUuid(uuid.toLowerCase()) : null;
    if (source === null) throw notFound();
    requireBindings(null, source.extensions_preferences, author);
    const { uuid: _, name, ...fields } = source;
    const secrets = this.#changer.openSecrets(source);
    const copy = this.#newPipeline({ ...fields, name: nameOfCopy(name), is_default: false }, secrets);
    const models = modelsOf(this.#options.schema(), source.config);
    const options = { maximum: this.#options.maximumPipelines, models, unknownModels: 'skip', author: by } as const;
    this.#changer.require(await this.#store.create(copy, options));
    return copy.uuid;
  }

  /** Makes it the one that new bots are bound to, in place of the one that was. @throws ParleyError `not_found` */
  async makeDefault(uuid: string): Promise<void> {
    if (!isUuid(uuid) || !(await this.#store.makeDefault(uuid.toLowerCase(), now()))) throw notFound();
  }

  /** @throws ParleyError `not_found` */
  async extensions(uuid: string): Promise<Tagged<PipelineExtensions>> {
    const { extensions_preferences } = await this.get(uuid);
    const { enable_all_plugins, enable_all_mcp_servers, plugins, mcp_servers, mcp_tool_users } = extensions_preferences;
    const record = {
      enable_all_plugins,
      enable_all_mcp_servers,
      bound_plugins: plugins,
      available_plugins: this.#options.plugins?.() ?? [],
      bound_mcp_servers: mcp_servers,
      available_mcp_servers: (await this.#options.mcpServers?.()) ?? [],
      mcp_tool_users,
    };
    return { record, tag: () => recordTag(extensions_preferences, []) };
  }

  /** The tools of extensions that a message may call; none when its pipeline was deleted. A call reads the present rights. */
  async toolAccess(message: PipelineMessage, purpose: ToolPurpose = 'call'): Promise<ToolAccess> {
    const { pipeline_uuid: uuid, facts } = message;
    const state = facts.trial?.version ?? null;
    if (state !== null) {
      const run = await this.stateForRun(uuid, state);
      return toolAccess(run?.stored.extensions_preferences ?? noTools, message);
    }
    const pipeline = await (purpose === 'call' ? this.#store.byUuid(uuid) : this.#recordForRun(uuid));
    return toolAccess(pipeline?.extensions_preferences ?? noTools, message);
  }

  /** Replaces all, as {@link BoundExtensions} says. @throws ParleyError `not_found`, `scope_required` or `record_changed` */
  async bindExtensions(
    uuid: string,
    { bound_plugins, bound_mcp_servers, ...request }: BoundExtensions,
    author: Author = 'other',
    { expected = null, by = null }: { expected?: ExpectedTags; by?: VersionAuthor | null } = {},
  ): Promise<void> {
    const preferences = {
      ...request,
      ...(bound_plugins === undefined ? {} : { plugins: bound_plugins }),
      ...(bound_mcp_servers === undefined ? {} : { mcp_servers: bound_mcp_servers }),
    };
    const refusal = await this.#change(
      uuid,
      (stored) => {
        requireTag(expected, () => recordTag(stored.extensions_preferences, []));
        return { extensions_preferences: boundOf(stored, preferences, author), updated_at: now() };
      },
      by,
    );
    this.#changer.require(refusal);
  }

  /** Sets the model of the default pipeline, unless it has one that is not a placeholder. */
  async adoptModel(modelUuid: string, isPlaceholder: (uuid: string) => Promise<boolean>): Promise<void> {
    const pipeline = await this.#store.default();
    if (pipeline === null) return;
    const schema = this.#options.schema();
    const [place] = modelPlaces(schema.schema);
    if (place === undefined) return;
    const { tab, group, field } = place;
    const primaryOf = (config: StoredConfig) => (config[tab][group]?.[field] as ModelChoice | undefined)?.primary ?? '';
    const current = primaryOf(pipeline.config);
    if (current !== '' && !(await isPlaceholder(current))) return;
    // A refusal means that the pipeline or the model was deleted meanwhile: there is nothing to do.
    await this.#store.update(pipeline.uuid, ({ config: stored, sealed_secrets, admin_addresses }) => {
      if (primaryOf(stored) !== current) return null;
      const config = structuredClone(stored);
      config[tab][group] = { ...config[tab][group], [field]: { primary: modelUuid, fallbacks: [] } };
      const models = modelsOf(schema, config);
      return { configuration: { config, models, sealed_secrets, admin_addresses }, updated_at: now() };
    });
  }

  #change(
    uuid: string,
    change: (stored: StoredPipeline) => PipelineChanges,
    by: VersionAuthor | null,
  ): Promise<PipelineRefusal | null> {
    if (!isUuid(uuid)) return Promise.resolve({ reason: 'not_found' });
    return this.#store.update(uuid.toLowerCase(), change, by);
  }

  #newPipeline(
    fields: Omit<StoredPipeline, 'uuid' | 'version' | 'for_version' | 'sealed_secrets' | 'created_at' | 'updated_at'>,
    secrets: SecretValues,
  ): StoredPipeline {
    const uuid = newUuid();
    const timestamp = now();
    return {
      ...fields,
      uuid,
      version: 1,
      for_version: `v${apiVersion}`,
      sealed_secrets: sealSecrets(this.#secrets, secrets, secretContext(uuid)),
      created_at: timestamp,
      updated_at: timestamp,
    };
  }
}

function notFound(): ParleyError {
  return problemError('pipeline_not_found');
}
