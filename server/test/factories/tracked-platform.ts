import {
  Address,
  type OutgoingMessage,
  ParleyError,
  type Platform,
  type PlatformAdapter,
  type PlatformContext,
  Secret,
} from '@parley/sdk';
import Type from 'typebox';

/** What an adapter was made with. */
interface TrackedConfig extends Record<string, unknown> {
  token: string;
  api_base_url: string;
}

/** A platform that counts its connections and keeps what they were made with. */
export interface TrackedPlatform {
  platform: Platform;
  /** The configuration, secrets included, of each connection that is up, by the uuid of its bot. */
  running: ReadonlyMap<string, TrackedConfig>;
  /** How often a connection of a bot came up. */
  starts: ReadonlyMap<string, number>;
  /** How often an attempt was made, by the uuid of the bot. */
  attempts: ReadonlyMap<string, number>;
  sent: OutgoingMessage[];
}

/**
 * A platform with a token that is sent to an address, and a webhook that is signed with the token.
 * @param failure what every attempt to connect fails with; null when none does
 */
export function createTrackedPlatform(name: string, failure: ParleyError | null = null): TrackedPlatform {
  const running = new Map<string, TrackedConfig>();
  const starts = new Map<string, number>();
  const attempts = new Map<string, number>();
  const sent: OutgoingMessage[] = [];
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const create = (settings: Record<string, unknown>, { bot_uuid: uuid }: PlatformContext) => {
    const config = settings as TrackedConfig;
    let isUp = false;
    return {
      start: async () => {
        count(attempts, uuid);
        if (failure !== null) throw failure;
        if (running.has(uuid)) throw new Error(`bot ${uuid} is connected twice`);
        running.set(uuid, config);
        isUp = true;
        count(starts, uuid);
      },
      stop: async () => {
        if (isUp) running.delete(uuid);
        isUp = false;
      },
      accountId: () => `account-of-${uuid}`,
      send: async (message: OutgoingMessage) => {
        sent.push(message);
        return {};
      },
      handleWebhook: async ({ method, path, query, headers, body }: Parameters<HandleWebhook>[0]) => {
        if (method === 'GET') return { status: 200, body: `${path}:${query.challenge ?? ''}` };
        if (headers['x-signature'] !== config.token) throw new ParleyError('invalid_signature', 'not signed');
        return { status: 200, body: `${path}:${Buffer.from(body).toString()}` };
      },
    };
  };
  const platform: Platform = {
    name,
    label: { en_US: name },
    description: { en_US: 'A platform for tests' },
    categories: ['global'],
    help_links: { en: 'https://example.com/help' },
    capabilities: {
      proactive: 'any',
      streams: {},
      text_limit: null,
      idempotent_sends: false,
      elements: ['Plain', 'At', 'Image'],
      webhook: true,
    },
    config: Type.Object(
      {
        token: Secret(),
        api_base_url: Address({ default: 'https://api.example.com' }),
        nickname: Type.String({ default: '' }),
      },
      { additionalProperties: false },
    ),
    load: async () => ({ create }),
  };
  return { platform, running, starts, attempts, sent };
}

type HandleWebhook = NonNullable<PlatformAdapter['handleWebhook']>;
