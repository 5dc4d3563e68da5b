import {
  type AccountProfile,
  Address,
  type OutgoingMessage,
  type Platform,
  type PlatformAdapter,
  type PlatformCapabilities,
  type PlatformContext,
  type PlatformImplementation,
  Secret,
  type SocketDecision,
  type SocketRequest,
  type WebhookRequest,
  type WebhookResponse,
} from '@parley/sdk';
import Type from 'typebox';

/** What a fake platform made for a bot. */
export interface FakeAdapter extends PlatformAdapter {
  config: Record<string, unknown>;
  context: PlatformContext;
  /** Its outcome. `stopped` only if it was running, or was stopped before it started. */
  state: 'made' | 'starting' | 'up' | 'failed' | 'stopped';
}

/** A platform that keeps what it is given, or refuses it. */
export interface FakePlatform {
  platform: Platform;
  /** What the platform loads. */
  implementation: PlatformImplementation;
  /** Sent messages, in order. */
  sent: OutgoingMessage[];
  /** Every adapter that was made, oldest first. */
  adapters: FakeAdapter[];
  /** Those that are up now. */
  up: () => FakeAdapter[];
  /** Called with each message before it counts as sent; what it throws is what the platform answered. */
  refuse: (message: OutgoingMessage) => void;
  /** What starting an adapter waits for; what it throws is why it does not come up. */
  start: (adapter: FakeAdapter) => Promise<void>;
  /** What stopping an adapter waits for. */
  stop: (adapter: FakeAdapter) => Promise<void>;
  /** Answers requests to the webhook address. */
  answer: (request: WebhookRequest, adapter: FakeAdapter) => Promise<WebhookResponse>;
  /** Decides on websockets to the webhook address. */
  acceptSocket: (request: SocketRequest, adapter: FakeAdapter) => SocketDecision;
  /** What bots are called on the platform. */
  accountId: () => string | null;
  profile: AccountProfile | null;
}

const config = Type.Object({
  token: Secret({ default: '' }),
  server: Address({ default: '' }),
  nickname: Type.String({ default: 'fake', maxLength: 20 }),
  limits: Type.Object({ rate: Type.Integer({ default: 5 }), key: Secret({ default: '' }) }, { default: {} }),
});

/** A platform for texts and mentions only, named `fake` if nothing else is said. */
export function createFakePlatform({
  name = 'fake',
  ...capabilities
}: Partial<PlatformCapabilities> & { name?: string } = {}): FakePlatform {
  const nothing = async () => undefined;
  const fake: FakePlatform = {
    sent: [],
    adapters: [],
    up: () => fake.adapters.filter(({ state }) => state === 'up'),
    refuse: () => {},
    start: nothing,
    stop: nothing,
    answer: async () => ({ status: 200 }),
    acceptSocket: () => ({ status: 401 }),
    accountId: () => null,
    profile: null,
    platform: {
      name,
      label: { en_US: 'Fake platform' },
      description: { en_US: 'A platform for tests' },
      categories: ['global'],
      help_links: { en: 'https://example.com/help' },
      capabilities: {
        proactive: 'any',
        streams: {},
        text_limit: null,
        idempotent_sends: false,
        elements: ['Plain', 'At'],
        webhook: false,
        ...capabilities,
      },
      config,
      load: async () => fake.implementation,
    },
    implementation: {
      create: (settings, context) => {
        const adapter = createAdapter(fake, settings, context);
        fake.adapters.push(adapter);
        return adapter;
      },
    },
  };
  return fake;
}

function createAdapter(fake: FakePlatform, settings: Record<string, unknown>, context: PlatformContext): FakeAdapter {
  const adapter: FakeAdapter = {
    config: settings,
    context,
    state: 'made',
    start: async () => {
      adapter.state = 'starting';
      try {
        await fake.start(adapter);
        adapter.state = 'up';
      } catch (error) {
        adapter.state = 'failed';
        throw error;
      }
    },
    stop: async () => {
      await fake.stop(adapter);
      adapter.state = 'stopped';
    },
    send: async (message) => {
      fake.refuse(message);
      fake.sent.push(message);
      return { platform_message_id: `sent-${fake.sent.length}` };
    },
    accountId: () => fake.accountId(),
    accountProfile: () => fake.profile,
    ...(fake.platform.capabilities.webhook ? { handleWebhook: (request) => fake.answer(request, adapter) } : {}),
    ...(fake.platform.capabilities.inbound_sockets === true
      ? { acceptSocket: (request) => fake.acceptSocket(request, adapter) }
      : {}),
  };
  return adapter;
}
