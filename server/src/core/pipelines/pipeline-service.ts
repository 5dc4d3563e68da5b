import { invalidFields, ParleyError, type PipelineMessage } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { freeze } from '../../lib/freeze.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { Author } from '../accounts/author.ts';
import type { AddressDecision, AddressRules } from '../addresses/address-rules.ts';
import { addressesIn, type FoundAddress } from '../addresses/addresses-in.ts';
import type { FormTab } from '../forms/form-fields.ts';
import type { McpServer } from '../mcp/mcp-server.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
import { openConfig, openSecrets, replaceSecrets, type SecretValues, sealSecrets } from '../secrets/secret-fields.ts';
import { apiVersion } from '../system/system-info.ts';
import type { ToolAccess, ToolPurpose } from '../tools/tool-access.ts';
import { type ModelChoice, modelPlaces } from './named-models.ts';
import { newPatternFaults, type PatternCheck, type PatternFault, patternFaults } from './named-patterns.ts';
import {
  type BoundExtensions,
  type CreatePipeline,
  type ExtensionsPreferences,
  type Pipeline,
  type PipelineExtensions,
  type PipelineFilter,
  type PipelineListing,
  pipelineStages,
  type StoredPipeline,
  type UpdatePipeline,
} from './pipeline.ts';
import type { PipelineConfig, StoredConfig } from './pipeline-config.ts';
import type { PipelineSchema } from './pipeline-schema.ts';
import type { PipelineChanges, PipelineRefusal, PipelineStore } from './pipeline-store.ts';
import { completePreferences, requireBindings } from './server-bindings.ts';
import { noTools, toolAccess } from './tool-users.ts';

export interface PipelineServiceOptions {
  /** The MCP servers that a pipeline may use. None when omitted. */
  mcpServers?: () => Promise<McpServer[]>;
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

/** What a message needs of a configuration, and what it was read with. */
type RunConfig = { schema: PipelineSchema; config: PipelineConfig };

/** Pipelines and their configuration. */
export class PipelineService {
  readonly #store: PipelineStore;
  readonly #secrets: SecretBox;
  readonly #options: PipelineServiceOptions;
  /** By the records that they were read from, so that opened secrets vanish with those. */
  readonly #runConfigs = new WeakMap<StoredPipeline, RunConfig>();
  readonly #recordForRun: (uuid: string) => Promise<StoredPipeline | null>;

  constructor(store: PipelineStore, secrets: SecretBox, options: PipelineServiceOptions) {
    this.#store = store;
    this.#secrets = secrets;
    this.#options = options;
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

  /** The full configuration with its secrets in clear, to process a message; null when the pipeline was deleted. */
  async configForRun(uuid: string): Promise<PipelineConfig | null> {
    const stored = await this.#recordForRun(uuid);
    if (stored === null) return null;
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
    { isDefault = false, author = 'other' }: { isDefault?: boolean; author?: Author } = {},
  ): Promise<string> {
    const preferences = completePreferences(request.extensions_preferences ?? {}, null);
    requireBindings(null, preferences, author);
    const schema = this.#options.schema();
    const config = schema.complete(request.config ?? {});
    const decide = await this.#decide(config, author);
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
    this.#require(
      await this.#store.create(pipeline, { maximum, models: modelsOf(schema, config), unknownModels: 'refuse' }),
      config,
    );
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
    expected: ExpectedTags = null,
  ): Promise<void> {
    const { config: partial, extensions_preferences: preferences, ...columns } = request;
    const schema = this.#options.schema();
    const config = partial === undefined ? undefined : schema.complete(partial, await this.#storedConfig(uuid));
    const faults = config === undefined ? [] : await patternFaults(schema.schema, config, this.#options.checkPattern);
    const decide = config === undefined ? undefined : await this.#decide(config, author);
    const refusal = await this.#change(uuid, (stored) => {
      requireTag(expected, () => tagOf(stored));
      return {
        ...columns,
        ...(preferences === undefined ? {} : { extensions_preferences: this.#bound(stored, preferences, author) }),
        ...(config === undefined || decide === undefined
          ? {}
          : { configuration: this.#replaceConfig(stored, config, { faults, decide }) }),
        updated_at: now(),
      };
    });
    this.#require(refusal, config);
  }

  /** Input of {@link FetchFor} to process a message; empty when the pipeline was deleted. */
  async adminAddresses(uuid: string): Promise<readonly string[] | null> {
    const stored = await this.#recordForRun(uuid);
    return stored === null ? [] : stored.admin_addresses;
  }

  /** @throws ParleyError `not_found`, `default_pipeline`, or `in_use` with the bots that name it */
  async delete(uuid: string): Promise<void> {
    this.#require(isUuid(uuid) ? await this.#store.delete(uuid.toLowerCase()) : { reason: 'not_found' });
  }

  /**
   * Makes another pipeline like this one, secrets included.
   * @returns the new pipeline's uuid
   * @throws ParleyError `not_found`, `limit_reached`, or `scope_required` when it has MCP servers and the author is no admin
   */
  async copy(uuid: string, author: Author = 'other'): Promise<string> {
    const source = isUuid(uuid) ? await this.#store.storedByUuid(uuid.toLowerCase()) : null;
    if (source === null) throw notFound();
    requireBindings(null, source.extensions_preferences, author);
    const { uuid: _, name, ...fields } = source;
    const copy = this.#newPipeline({ ...fields, name: nameOfCopy(name), is_default: false }, this.#openSecrets(source));
    const models = modelsOf(this.#options.schema(), source.config);
    const options = { maximum: this.#options.maximumPipelines, models, unknownModels: 'skip' } as const;
    this.#require(await this.#store.create(copy, options));
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
      available_plugins: [],
      bound_mcp_servers: mcp_servers,
      available_mcp_servers: (await this.#options.mcpServers?.()) ?? [],
      mcp_tool_users,
    };
    return { record, tag: () => recordTag(extensions_preferences, []) };
  }

  /** The tools of extensions that a message may call; none when its pipeline was deleted. A call reads the present rights. */
  async toolAccess(message: PipelineMessage, purpose: ToolPurpose = 'call'): Promise<ToolAccess> {
    const { pipeline_uuid: uuid } = message;
    const pipeline = await (purpose === 'call' ? this.#store.byUuid(uuid) : this.#recordForRun(uuid));
    return toolAccess(pipeline?.extensions_preferences ?? noTools, message);
  }

  /** Replaces all, as {@link BoundExtensions} says. @throws ParleyError `not_found`, `scope_required` or `record_changed` */
  async bindExtensions(
    uuid: string,
    { bound_plugins, bound_mcp_servers, ...request }: BoundExtensions,
    author: Author = 'other',
    expected: ExpectedTags = null,
  ): Promise<void> {
    const preferences = {
      ...request,
      ...(bound_plugins === undefined ? {} : { plugins: bound_plugins }),
      ...(bound_mcp_servers === undefined ? {} : { mcp_servers: bound_mcp_servers }),
    };
    const refusal = await this.#change(uuid, (stored) => {
      requireTag(expected, () => recordTag(stored.extensions_preferences, []));
      return { extensions_preferences: this.#bound(stored, preferences, author), updated_at: now() };
    });
    this.#require(refusal);
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

  #bound(stored: StoredPipeline, given: Partial<ExtensionsPreferences>, author: Author): ExtensionsPreferences {
    const preferences = completePreferences(given, stored.extensions_preferences);
    requireBindings(stored.extensions_preferences, preferences, author);
    return preferences;
  }

  #change(uuid: string, change: (stored: StoredPipeline) => PipelineChanges): Promise<PipelineRefusal | null> {
    return isUuid(uuid) ? this.#store.update(uuid.toLowerCase(), change) : Promise.resolve({ reason: 'not_found' });
  }

  #replaceConfig(
    stored: StoredPipeline,
    config: StoredConfig,
    { faults, decide }: { faults: readonly PatternFault[]; decide: AddressDecision },
  ): NonNullable<PipelineChanges['configuration']> {
    requirePatterns(faults, stored.config);
    const schema = this.#options.schema();
    const before = { config: stored.config, secrets: this.#openSecrets(stored) };
    const [masked, secrets] = replaceSecrets(schema.of(config, Object.keys(before.secrets)), config, before, 'config');
    const addresses = this.#addressesOf(stored.config).map(({ address }) => address);
    return {
      config: masked,
      models: modelsOf(schema, config),
      sealed_secrets: sealSecrets(this.#secrets, secrets, secretContext(stored.uuid)),
      admin_addresses: decide({ addresses, admin_addresses: stored.admin_addresses }),
    };
  }

  async #storedConfig(uuid: string): Promise<StoredConfig | null> {
    return isUuid(uuid) ? ((await this.#store.byUuid(uuid.toLowerCase()))?.config ?? null) : null;
  }

  #decide(config: StoredConfig, author: Author): Promise<AddressDecision> {
    return this.#options.addresses.decide(this.#addressesOf(config), author);
  }

  #addressesOf(config: StoredConfig): FoundAddress[] {
    return addressesIn(this.#options.schema().of(config), config, 'config');
  }

  #openSecrets({ uuid, sealed_secrets }: StoredPipeline): SecretValues {
    return openSecrets(this.#secrets, sealed_secrets, secretContext(uuid));
  }

  #newPipeline(
    fields: Omit<StoredPipeline, 'uuid' | 'for_version' | 'sealed_secrets' | 'created_at' | 'updated_at'>,
    secrets: SecretValues,
  ): StoredPipeline {
    const uuid = newUuid();
    const timestamp = now();
    return {
      ...fields,
      uuid,
      for_version: `v${apiVersion}`,
      sealed_secrets: sealSecrets(this.#secrets, secrets, secretContext(uuid)),
      created_at: timestamp,
      updated_at: timestamp,
    };
  }

  /** @param config the configuration that was to be written, if any */
  #require(refusal: PipelineRefusal | null, config?: StoredConfig): void {
    if (refusal === null) return;
    switch (refusal.reason) {
      case 'not_found':
        throw notFound();
      case 'limit_reached':
        throw new ParleyError(
          'limit_reached',
          `Maximum number of pipelines (${this.#options.maximumPipelines}) reached`,
        );
      case 'default_pipeline':
        throw new ParleyError(
          'default_pipeline',
          'The default pipeline cannot be deleted; make another one the default first',
        );
      case 'in_use':
        throw new ParleyError('in_use', 'The pipeline is in use by bots', {
          details: refusal.bots.map(({ uuid, name }) => ({ path: `bots/${uuid}`, message: name })),
        });
      case 'unknown_models': {
        const unknown = (config === undefined ? [] : this.#options.schema().models(config)).filter(({ uuid }) =>
          refusal.models.includes(uuid),
        );
        throw invalidFields(
          unknown.map(({ path }) => ({
            path: `config.${path}`,
            message: 'there is no such language model',
            rule: 'missing',
          })),
          'config',
        );
      }
    }
  }
}

/** Which pipeline is the default one is changed apart from its content. */
function tagOf(stored: StoredPipeline): string {
  return recordTag(stored, ['for_version', 'is_default', 'stages', 'admin_addresses']);
}

/** The uuids of the language models that a configuration names, each once. */
function modelsOf(schema: PipelineSchema, config: StoredConfig): string[] {
  return [...new Set(schema.models(config).map(({ uuid }) => uuid))];
}

function notFound(): ParleyError {
  return new ParleyError('not_found', 'pipeline not found');
}

/** @throws ParleyError `invalid_request` when there are regular expressions that cannot be used and were not stored */
function requirePatterns(faults: readonly PatternFault[], stored: StoredConfig | null): void {
  const details = newPatternFaults(faults, stored);
  if (details.length > 0) throw invalidFields(details.slice(0, 20));
}

function secretContext(uuid: string): string {
  return `pipeline/${uuid}`;
}

/** A name has room for 255 characters, those of the ending included. */
function nameOfCopy(name: string): string {
  const ending = ' (Copy)';
  return `${[...name].slice(0, 255 - ending.length).join('')}${ending}`;
}
