import {
  type Logger,
  type LoginStep,
  ParleyError,
  type PlatformTest,
  problemError,
  type TestFinding,
} from '@parley/sdk';
import type { InternalPlatform } from '@parley/sdk/internal';
import { hidingSecrets } from '../../lib/hiding-secrets.ts';
import type { Registry } from '../../lib/registry.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { untilAborted } from '../../lib/waiting.ts';
import type { PlatformNetwork } from '../addresses/fetch-for.ts';
import { openSecrets, restoreSecrets } from '../secrets/secret-fields.ts';
import type { StoredBot } from './bot.ts';
import type { WantedConnection } from './bot-connection.ts';
import { proxyOf } from './bot-proxy.ts';

export interface BotConfigsOptions {
  platforms: Registry<InternalPlatform>;
  secrets: SecretBox;
  logger: Logger;
  network: PlatformNetwork;
  /** Address under which platforms reach the service; null when it has none. */
  publicUrl: string | null;
  /** Timeout of a connection test, milliseconds. */
  testTimeout: number;
}

/** The inputs of a connection. */
type ConnectedRecord = Pick<StoredBot, 'uuid' | 'adapter_config' | 'sealed_secrets' | 'admin_addresses'>;

/** What the records of bots say about their connections. */
export class BotConfigs {
  readonly #options: BotConfigsOptions;
  readonly #platforms: Registry<InternalPlatform>;

  constructor(options: BotConfigsOptions) {
    this.#options = options;
    this.#platforms = options.platforms;
  }

  platform(name: string): InternalPlatform | undefined {
    return this.#platforms.get(name);
  }

  /** The platforms whose bots belong to the service. */
  internalPlatforms(): string[] {
    return this.#platforms
      .list()
      .filter(({ internal }) => internal === true)
      .map(({ name }) => name);
  }

  /** Another number whenever there are other platforms. */
  get changes(): number {
    return this.#platforms.changes;
  }

  /**
   * Whether one replica at a time connects the bots of a platform. Others have callers or sockets in every replica, and
   * are connected in each.
   */
  isLeased(adapter: string): boolean {
    const platform = this.#platforms.get(adapter);
    return platform?.internal !== true && platform?.sockets !== true;
  }

  /** The connection that a record requires. @throws ParleyError when it cannot be prepared */
  wantedBy(record: StoredBot): WantedConnection {
    const platform = this.#platforms.get(record.adapter);
    if (platform === undefined) throw new ParleyError('invalid_request', `There is no adapter "${record.adapter}"`);
    return this.#opened(platform, record);
  }

  /** Null when the service has no public address. */
  webhookUrl(uuid: string): string | null {
    const { publicUrl } = this.#options;
    return publicUrl === null ? null : publicUrl + webhookPath(uuid);
  }

  /**
   * Tests a configuration with its platform, without touching existing connections.
   * @throws ParleyError `conflict` when the platform has no connection test, `platform_failed` after a timeout, or the
   * error of the platform
   */
  async test(platform: InternalPlatform, record: ConnectedRecord): Promise<PlatformTest> {
    const { test } = await platform.load();
    if (test === undefined) {
      throw problemError('no_connection_test');
    }
    const { config, secrets } = this.#opened(platform, record);
    const signal = AbortSignal.timeout(this.#options.testTimeout);
    const clients = this.#options.network(record.admin_addresses, proxyOf(platform, config));
    const webhook_url = this.webhookUrl(record.uuid);
    const hide = hidingSecrets(secrets);
    try {
      const tested = await untilAborted(test(config, { ...clients, webhook_url, signal }), signal);
      return { ...tested, findings: (tested.findings ?? []).map((finding) => withoutSecrets(finding, hide)) };
    } catch (error) {
      if (signal.aborted) throw new ParleyError('platform_failed', 'The platform did not answer in time');
      if (!(error instanceof ParleyError)) throw error;
      const details = error.details?.map((one) => {
        return { ...one, path: `adapter_config.${one.path}`, message: hide(one.message) };
      });
      throw new ParleyError(error.reason, hide(error.message), details === undefined ? {} : { details });
    }
  }

  /** The steps of a sign-in. @throws ParleyError `conflict` when the platform has none */
  async login(
    platform: InternalPlatform,
    config: Record<string, unknown>,
    { admin_addresses, signal }: { admin_addresses: readonly string[] | null; signal: AbortSignal },
  ): Promise<AsyncIterable<LoginStep>> {
    const { login } = await platform.load();
    if (login === undefined) throw problemError('no_platform_sign_in');
    return login(config, { ...this.#options.network(admin_addresses, null), webhook_url: null, signal });
  }

  #opened(
    platform: InternalPlatform,
    { uuid, adapter_config, sealed_secrets, admin_addresses }: ConnectedRecord,
  ): WantedConnection {
    try {
      const secrets = openSecrets(this.#options.secrets, sealed_secrets, secretContext(uuid));
      const config = restoreSecrets(platform.config, adapter_config, secrets);
      return { platform, config, secrets: Object.values(secrets), admin_addresses };
    } catch (error) {
      this.#options.logger.error({ bot: uuid, error }, 'the secrets of a bot cannot be opened');
      throw problemError('secrets_unreadable');
    }
  }
}

/** Names a bot's record to the box of its secrets. */
export function secretContext(botUuid: string): string {
  return `bot/${botUuid}`;
}

/** Where the platform of a bot sends what happens, below the address of the service. */
export function webhookPath(botUuid: string): string {
  return `/bots/${botUuid}`;
}

/** A platform may repeat in a text what it was sent. */
function withoutSecrets({ text, ...finding }: TestFinding, hide: (text: string) => string): TestFinding {
  const hidden = Object.entries(text).map(([language, words]) => [language, hide(words)]);
  return { ...finding, text: Object.fromEntries(hidden) as TestFinding['text'] };
}
