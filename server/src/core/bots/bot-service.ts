import { isDeepStrictEqual } from 'node:util';
import {
  invalidFields,
  type ParleyError,
  type PlatformCapabilities,
  type PlatformTest,
  problemError,
  readConfig,
} from '@parley/sdk';
import type { InternalPlatform } from '@parley/sdk/internal';
import { now } from '../../lib/clock.ts';
import { nameOfCopy } from '../../lib/name-of-copy.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { Author } from '../accounts/author.ts';
import type { AddressDecision, AddressRules } from '../addresses/address-rules.ts';
import { addressesIn, type FoundAddress } from '../addresses/addresses-in.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
import { openSecrets, sealSecrets, withoutSecrets } from '../secrets/secret-fields.ts';
import type { TestAdapterConfig } from './adapter.ts';
import { acceptAdapterConfig, correctedConfig, storedSecrets } from './adapter-config.ts';
import type { AdapterLogin } from './adapter-login.ts';
import type { AdapterLogins } from './adapter-logins.ts';
import type { Bot, BotChanges, BotFilter, BotState, BotView, CreateBot, StoredBot, UpdateBot } from './bot.ts';
import { secretContext, webhookPath } from './bot-configs.ts';
import type { BotEventWindow } from './bot-event.ts';
import type { BotEventLog } from './bot-event-log.ts';
import type { BotRuntime } from './bot-runtime.ts';
import type { BotListing, BotRefusal, BotStore } from './bot-store.ts';
import { acceptRoutingRules, type PipelineRoutingRule, routingRulePath } from './pipeline-routing-rule.ts';

/** Sign-ins that obtain the credentials of bots, perhaps at other replicas. */
export type BotLogins = Pick<AdapterLogins, 'start' | 'use'> & {
  filled(
    ...given: Parameters<AdapterLogins['filled']>
  ): ReturnType<AdapterLogins['filled']> | Promise<ReturnType<AdapterLogins['filled']>>;
};

export interface BotServiceOptions {
  runtime: BotRuntime;
  addresses: AddressRules;
  secrets: SecretBox;
  events: Pick<BotEventLog, 'window'>;
  logins: BotLogins;
  /** The default pipeline of a bot; null when there is none. */
  defaultPipeline: () => Promise<{ uuid: string } | null>;
  /** Most bots there may be; -1 for no limit. */
  maximumBots: number;
  /** Address under which the service is reached, without a slash at the end; null while it is not. */
  address: () => string | null;
}

/** Records of bots. {@link BotRuntime} connects them and is notified of each change. */
export class BotService {
  readonly #store: BotStore;
  readonly #options: BotServiceOptions;

  constructor(store: BotStore, options: BotServiceOptions) {
    this.#store = store;
    this.#options = options;
  }

  async list(): Promise<BotView[]> {
    return (await this.#store.list()).filter((bot) => !this.#isInternal(bot)).map((bot) => this.#shown(bot));
  }

  async page(listing: RecordListing & BotFilter): Promise<ListedRecords<BotView>> {
    const { records, total } = await this.#store.page(this.#stored(listing));
    return { records: records.map((bot) => this.#shown(bot)), total };
  }

  /** All matches, by uuid. */
  names(listing: RecordListing & BotFilter): Promise<NamedRecord[]> {
    return this.#store.names(this.#stored(listing));
  }

  /** Another text whenever what is shown of bots may differ although no record does. */
  shownState(): string {
    const { runtime, address } = this.#options;
    return `${address()} ${runtime.shownState()}`;
  }

  /** @throws ParleyError `not_found`, as every method that takes a uuid */
  async get(uuid: string): Promise<BotView> {
    return (await this.tagged(uuid)).record;
  }

  async tagged(uuid: string): Promise<Tagged<BotView>> {
    const stored = isUuid(uuid) ? await this.#store.storedByUuid(uuid.toLowerCase()) : null;
    if (stored === null || this.#isInternal(stored)) throw notFound();
    const { sealed_secrets: _, admin_addresses: __, ...bot } = stored;
    return { record: this.#shown(bot), tag: () => tagOf(stored) };
  }

  /**
   * Creates a bot, bound to the default pipeline unless the request names another or none, and connects it if it is
   * enabled.
   * @returns the new bot's uuid
   * @throws ParleyError `invalid_request`, `secret_required`, `private_address` or `limit_reached`; nothing is stored
   * then
   */
  async create(request: CreateBot, author: Author = 'other'): Promise<string> {
    const { login_id, ...rest } = request;
    if (login_id === undefined) return this.#create(rest, author);
    const { logins } = this.#options;
    const filled = { ...rest, adapter_config: await logins.filled(rest.adapter, login_id, rest.adapter_config) };
    return logins.use(login_id, () => this.#create(filled, author));
  }

  async #create(request: CreateBot, author: Author): Promise<string> {
    const { name, description = '', adapter, enable = false, use_pipeline_uuid: pipeline } = request;
    const { uncertain_sends = 'continue' } = request;
    const uuid = newUuid();
    const pipeline_routing_rules = acceptRoutingRules(request.pipeline_routing_rules ?? []);
    const config = this.#acceptConfig(adapter, request.adapter_config, { uuid, stored: null });
    const decide = await this.#decide(adapter, config.adapter_config, author, { uuid, ...config });
    const use_pipeline_uuid =
      pipeline === undefined ? ((await this.#options.defaultPipeline())?.uuid ?? null) : asPipeline(pipeline);
    const created_at = now();
    const bot = { uuid, name, description, adapter, ...config, enable, use_pipeline_uuid, pipeline_routing_rules };
    const stored = { ...bot, admin_addresses: decide(null), uncertain_sends, created_at, updated_at: created_at };
    this.#require(await this.#store.create(stored, await this.#maximum()), bot);
    await this.#options.runtime.apply(uuid);
    return uuid;
  }

  /**
   * Makes another bot like this one, secrets included. It is disabled: a platform rarely accepts two connections of one
   * account.
   * @returns the new bot's uuid
   * @throws ParleyError `not_found` or `limit_reached`
   */
  async copy(uuid: string): Promise<string> {
    const source = isUuid(uuid) ? await this.#store.storedByUuid(uuid.toLowerCase()) : null;
    if (source === null || this.#isInternal(source)) throw notFound();
    const { secrets, runtime } = this.#options;
    const [copied, created_at] = [newUuid(), now()];
    const opened = openSecrets(secrets, source.sealed_secrets, secretContext(source.uuid));
    const { use_pipeline_name: _, ...fields } = source;
    const copy = {
      ...fields,
      uuid: copied,
      name: nameOfCopy(source.name),
      enable: false,
      sealed_secrets: sealSecrets(secrets, opened, secretContext(copied)),
      created_at,
      updated_at: created_at,
    };
    this.#require(await this.#store.create(copy, await this.#maximum()), copy);
    await runtime.apply(copied);
    return copied;
  }

  /**
   * Replaces the given fields. Reconnects if the platform or its configuration changed.
   * @throws ParleyError `not_found`, `invalid_request`, `secret_required`, `private_address` or `record_changed`; nothing
   * is changed then
   */
  async update(
    uuid: string,
    request: UpdateBot,
    author: Author = 'other',
    expected: ExpectedTags = null,
  ): Promise<void> {
    const { login_id, ...rest } = request;
    if (login_id === undefined) return this.#update(uuid, rest, author, expected);
    if (rest.adapter_config === undefined) {
      throw invalidFields([{ path: 'adapter_config', message: 'is required with login_id' }]);
    }
    const { logins } = this.#options;
    // Named, so that it stays the platform of the sign-in while it is stored.
    const adapter = rest.adapter ?? (await this.get(uuid)).adapter;
    const filled = { ...rest, adapter, adapter_config: await logins.filled(adapter, login_id, rest.adapter_config) };
    await logins.use(login_id, () => this.#update(uuid, filled, author, expected));
  }

  async #update(uuid: string, request: UpdateBot, author: Author, expected: ExpectedTags): Promise<void> {
    if (!isUuid(uuid)) throw notFound();
    const known = uuid.toLowerCase();
    const decide = await this.#decideChange(known, request, author);
    const rules = request.pipeline_routing_rules;
    const accepted = {
      ...(rules === undefined ? {} : { pipeline_routing_rules: acceptRoutingRules(rules) }),
      ...(request.use_pipeline_uuid === undefined ? {} : { use_pipeline_uuid: asPipeline(request.use_pipeline_uuid) }),
    };
    const change = (stored: StoredBot) => {
      if (this.#isInternal(stored)) throw notFound();
      requireTag(expected, () => tagOf(stored));
      const changes = this.#changes(stored, request);
      if (changes.adapter_config === undefined || decide === null) return { ...changes, ...accepted };
      const addresses = this.#addressesOf(stored.adapter, stored.adapter_config, stored);
      const admin_addresses = decide({ addresses, admin_addresses: stored.admin_addresses });
      return { ...changes, ...accepted, admin_addresses };
    };
    this.#require(await this.#store.update(known, change), accepted);
    await this.#options.runtime.apply(known);
  }

  /**
   * Tests a configuration with its platform. Nothing is stored, and no bot is affected.
   * @returns the account of the bot there, and what is wrong with it
   * @throws ParleyError `not_found` when there is no such adapter or bot, `conflict` when the platform has no
   * connection test, `invalid_request`, `secret_required`, `private_address`, or the error of the platform
   */
  async test(
    adapter: string,
    { adapter_config: given, bot_uuid, login_id }: TestAdapterConfig,
    { author = 'other', about }: Attempt = {},
  ): Promise<PlatformTest> {
    const { runtime, secrets, logins } = this.#options;
    const platform = this.#offered(adapter);
    const adapter_config = login_id === undefined ? given : await logins.filled(adapter, login_id, given);
    const bot = bot_uuid === undefined ? null : await this.#store.storedByUuid(bot_uuid.toLowerCase());
    if (bot_uuid !== undefined && (bot === null || this.#isInternal(bot))) throw notFound();
    const stored = bot?.adapter === adapter ? bot : null;
    const uuid = bot?.uuid ?? newUuid();
    const accepted = acceptAdapterConfig(platform, adapter_config, { uuid, stored, secrets });
    const tested = { uuid, ...accepted };
    about?.(this.#addressesOf(adapter, accepted.adapter_config, tested));
    const decide = await this.#decide(adapter, accepted.adapter_config, author, tested);
    const admin_addresses = decide(
      stored && {
        addresses: this.#addressesOf(adapter, stored.adapter_config, stored),
        admin_addresses: stored.admin_addresses,
      },
    );
    return await runtime.configs.test(platform, { ...tested, admin_addresses });
  }

  /**
   * Starts a sign-in with a platform, which obtains credentials.
   * @param given what is filled in so far; its secrets are not used, and invalid fields have their defaults
   * @throws ParleyError `not_found`, `conflict` when the platform has no sign-in, `too_many_requests`, `private_address`
   */
  async startLogin(
    adapter: string,
    given: Record<string, unknown>,
    { author = 'other', about }: Attempt = {},
  ): Promise<AdapterLogin> {
    const { runtime, logins } = this.#options;
    const platform = this.#offered(adapter);
    if (platform.login === undefined) throw problemError('no_platform_sign_in');
    const config = withoutSecrets(platform.config, readConfig(platform.config, correctedConfig(platform, given)), '');
    about?.(this.#addressesOf(adapter, config, null));
    const admin_addresses = (await this.#decide(adapter, config, author, null))(null);
    return logins.start(platform, config, (signal) =>
      runtime.configs.login(platform, config, { admin_addresses, signal }),
    );
  }

  /**
   * Connects or disconnects a bot. Nothing is written when it is as wanted.
   * @returns whether it was not
   */
  async setEnabled(uuid: string, enable: boolean, author: Author = 'other'): Promise<boolean> {
    if ((await this.get(uuid)).enable === enable) return false;
    await this.update(uuid, { enable }, author);
    return true;
  }

  /** Ends the connection and removes the record with its event log. Messages and conversations stay. */
  async delete(uuid: string): Promise<void> {
    const { uuid: known } = await this.get(uuid);
    await this.#options.runtime.withdraw(known);
    let removed: boolean;
    try {
      removed = await this.#store.delete(known);
    } finally {
      await this.#options.runtime.apply(known);
    }
    if (!removed) throw notFound();
  }

  /** Entries of the event log; see {@link BotEventLog.window}. */
  async logs(uuid: string, fromIndex: number, maximumCount: number): Promise<BotEventWindow> {
    const bot = await this.get(uuid);
    return this.#options.events.window(bot.uuid, fromIndex, maximumCount);
  }

  #stored({ state, ...listing }: RecordListing & BotFilter): BotListing {
    const { runtime } = this.#options;
    const wanted = { ...listing, without_adapters: runtime.configs.internalPlatforms() };
    if (state === undefined) return wanted;
    const statuses = runtime.statuses();
    const uuidsOf = (isMeant: (other: BotState) => boolean) =>
      statuses.filter(({ state: other }) => isMeant(other)).map(({ uuid }) => uuid);
    const only =
      state === 'stopped'
        ? ({ uuids: uuidsOf((other) => other !== state), are: 'left_out' } as const)
        : ({ uuids: uuidsOf((other) => other === state), are: 'listed' } as const);
    return { ...wanted, only };
  }

  #changes(stored: StoredBot, request: UpdateBot): BotChanges {
    const { name, description, enable, adapter = stored.adapter, adapter_config = stored.adapter_config } = request;
    const { uncertain_sends } = request;
    const isOther = adapter !== stored.adapter;
    // An unchanged configuration needs no platform: bots of a removed platform can still be disabled.
    const config =
      isOther || !isDeepStrictEqual(adapter_config, stored.adapter_config)
        ? this.#acceptConfig(adapter, adapter_config, { uuid: stored.uuid, stored: isOther ? null : stored })
        : {};
    return {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(enable === undefined ? {} : { enable }),
      ...(uncertain_sends === undefined ? {} : { uncertain_sends }),
      ...config,
      adapter,
      updated_at: now(),
    };
  }

  #offered(adapter: string): InternalPlatform {
    const platform = this.#options.runtime.platform(adapter);
    if (platform === undefined || platform.internal) throw problemError('platform_not_found');
    return platform;
  }

  #acceptConfig(adapter: string, config: Record<string, unknown>, bot: { uuid: string; stored: StoredBot | null }) {
    const platform = this.#options.runtime.platform(adapter);
    if (platform === undefined || platform.internal)
      throw invalidFields([{ path: 'adapter', message: `there is no adapter "${adapter}"`, rule: 'missing' }]);
    return acceptAdapterConfig(platform, config, { ...bot, secrets: this.#options.secrets });
  }

  #decide(adapter: string, config: Record<string, unknown>, author: Author, sealed: Sealed): Promise<AddressDecision> {
    return this.#options.addresses.decide(this.#found(adapter, config, sealed), author);
  }

  /** Null when the request names no configuration. */
  async #decideChange(uuid: string, request: UpdateBot, author: Author): Promise<AddressDecision | null> {
    const { adapter: named, adapter_config } = request;
    if (named === undefined && adapter_config === undefined) return null;
    const stored = await this.#store.storedByUuid(uuid);
    const adapter = named ?? stored?.adapter ?? '';
    const config = adapter_config ?? stored?.adapter_config ?? {};
    return this.#decide(adapter, config, author, stored?.adapter === adapter ? stored : null);
  }

  #addressesOf(adapter: string, config: Record<string, unknown>, sealed: Sealed): string[] {
    return this.#found(adapter, config, sealed).map(({ address }) => address);
  }

  /**
   * Empty for a removed platform: its bots are not connected either.
   * @param sealed the secrets that masked texts stand for
   */
  #found(adapter: string, config: Record<string, unknown>, sealed: Sealed): FoundAddress[] {
    const platform = this.#options.runtime.platform(adapter);
    if (platform === undefined) return [];
    const secrets = sealed && storedSecrets(this.#options.secrets, sealed);
    return addressesIn(
      platform.config,
      correctedConfig(platform, config),
      'adapter_config',
      (path) => secrets?.secrets[path],
    );
  }

  /** Whether it is an internal bot. */
  #isInternal({ adapter }: Pick<Bot, 'adapter'>): boolean {
    return this.#options.runtime.platform(adapter)?.internal === true;
  }

  /** How many bots there may be, with those that do not count. */
  async #maximum(): Promise<number> {
    const { maximumBots } = this.#options;
    if (maximumBots < 0) return maximumBots;
    return maximumBots + (await this.#store.list()).filter((bot) => this.#isInternal(bot)).length;
  }

  #shown(bot: Bot): BotView {
    const { runtime, address } = this.#options;
    const { state, reason, error, since } = runtime.status(bot.uuid);
    const profile = runtime.accountProfile(bot.uuid);
    const platform = runtime.platform(bot.adapter);
    const path = hasWebhook(platform?.capabilities) ? webhookPath(bot.uuid) : null;
    const base = address();
    return {
      ...bot,
      adapter_runtime_values: {
        bot_account_id: runtime.accountId(bot.uuid),
        bot_account_name: profile?.name ?? null,
        bot_account_url: profile?.url ?? null,
        webhook_url: path,
        webhook_full_url: path === null || base === null ? null : base + path,
        extra_webhook_full_url: path === null ? null : '',
        uses_webhook: hasWebhook(platform?.capabilitiesOf?.(bot.adapter_config) ?? platform?.capabilities),
        state,
        error,
        error_reason: reason,
        since,
      },
    };
  }

  /** @param bot the pipelines that it was to name */
  #require(refusal: BotRefusal | null, bot: NamesPipelines = {}): void {
    switch (refusal?.reason) {
      case undefined:
        return;
      case 'not_found':
        throw notFound();
      case 'limit_reached':
        throw problemError('too_many_bots', { maximum: String(this.#options.maximumBots) });
      case 'unknown_pipelines':
        throw invalidFields(
          placesOf(bot)
            .filter(({ uuid }) => refusal.pipelines.includes(uuid))
            .map(({ path }) => ({ path, message: 'unknown pipeline', rule: 'missing' })),
          'use_pipeline_uuid',
        );
    }
  }
}

function tagOf(stored: StoredBot): string {
  return recordTag(stored, ['use_pipeline_name', 'admin_addresses']);
}

/** Whether the platform reaches the bot at an address that is entered there. */
function hasWebhook(capabilities: PlatformCapabilities | undefined): boolean {
  const isEntered = capabilities?.webhook === true && capabilities.registers_webhook !== true;
  return isEntered || capabilities?.inbound_sockets === true;
}

/** Secrets of a configuration; null when there are none. */
type Sealed = Pick<StoredBot, 'uuid' | 'adapter_config' | 'sealed_secrets'> | null;

/** Who causes calls to a platform, and a function that is told their addresses. */
interface Attempt {
  author?: Author;
  about?: (addresses: string[]) => void;
}

interface NamesPipelines {
  use_pipeline_uuid?: string | null;
  pipeline_routing_rules?: readonly PipelineRoutingRule[];
}

/** Where a bot names which pipeline. */
function placesOf({ use_pipeline_uuid: bound, pipeline_routing_rules: rules = [] }: NamesPipelines) {
  return [
    ...(bound == null ? [] : [{ path: 'use_pipeline_uuid', uuid: bound }]),
    ...rules.map(({ pipeline_uuid: uuid }, index) => ({ path: `${routingRulePath(index)}.pipeline_uuid`, uuid })),
  ];
}

/** Clients send either for none. */
function asPipeline(uuid: string | null): string | null {
  return uuid === null || uuid === '' ? null : uuid.toLowerCase();
}

function notFound(): ParleyError {
  return problemError('bot_not_found');
}
