import { Check, Clone, Default } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { ParleyError } from '../src/errors.ts';
import { messageElements } from '../src/message-chain.ts';
import {
  type DeliveryTarget,
  longestMessageHandle,
  type MessageHandle,
  type OutgoingMessage,
  type Platform,
  type PlatformAdapter,
  type PlatformContext,
  type SendProgress,
} from '../src/platform.ts';
import { fakePlatformContext } from './fake-platform-context.ts';
import { identityTests } from './identity-tests.ts';
import { type FakeNetwork, platformNetworkContract } from './platform-network-contract.ts';
import type { FakePlatform, PlatformHost } from './platforms/fake-platform.ts';
import { fakeTests } from './platforms/fake-tests.ts';

export interface PlatformContractOptions {
  platform: Platform;
  /** Fields that have no default: tokens, the address of a fake platform. They are laid over the defaults. */
  config?: () => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Context of the adapter. Default: {@link fakePlatformContext}. */
  context?: () => PlatformContext;
  /**
   * A chat of a fake platform, as its users see it. Required for platforms that stream; null where answers go only to
   * a program that waits for them.
   */
  chat?: {
    target: Pick<DeliveryTarget, 'session_type' | 'session_id'>;
    /** Readies the chat for an adapter that was started; called for each. */
    open?: (adapter: PlatformAdapter) => void;
    /** The texts of the messages in the chat, oldest first. */
    texts: () => string[];
  } | null;
  /** Opens a fake of the platform. Without it, nothing is received, sent or failed. */
  network?: () => Promise<FakeNetwork>;
  /** Opens a fake of the platform: every case of the suite runs on one of its own. Requires `host`. */
  fake?: () => Promise<FakePlatform>;
  /** What the service does around adapters. */
  host?: PlatformHost;
  /** Names the run of a platform that has several, such as `webhook`. */
  mode?: string | undefined;
  /** Cases, or families of them, that the platform has no counterpart for, with the reason. */
  impossible?: Readonly<Record<string, string>>;
  /** How long a case waits for a condition, milliseconds. */
  patienceMs?: number;
}

const message: OutgoingMessage = {
  uuid: '00000000-0000-7000-8000-0000000000aa',
  sequence: 1,
  piece: 0,
  reply_to: null,
  target: { session_type: 'person', session_id: 'someone', thread_id: '', pipeline_uuid: null },
  message_chain: [{ type: 'Plain', text: 'Hello' }],
  created_at: '2026-01-01T00:00:00.000Z',
  idempotency_token: '00000000-0000-7000-8000-0000000000aa',
};

/** Registers the tests that every {@link Platform} must pass. */
export function platformContract(options: PlatformContractOptions): void {
  const { platform, config = () => ({}), context, chat, network, fake, host } = options;
  if (fake !== undefined) {
    if (host === undefined) throw new Error('A fake needs the host of the service');
    const { mode, impossible, patienceMs } = options;
    describe(`platform ${platform.name}`, () => declarationTests(platform));
    fakeTests({ platform, fake, host, config: options.config, mode, impossible, patienceMs });
    return;
  }
  if (network !== undefined) platformNetworkContract(platform, network);
  const completeConfig = async () => Default(platform.config, Clone(await config())) as Record<string, unknown>;

  async function withAdapter(use: (adapter: PlatformAdapter) => Promise<void>): Promise<void> {
    const { create } = await platform.load();
    const adapter = create(await completeConfig(), context?.() ?? fakePlatformContext());
    try {
      await use(adapter);
    } finally {
      await adapter.stop();
    }
  }

  describe(`platform ${platform.name}`, () => {
    declarationTests(platform);

    it('has a valid configuration', async () => {
      expect(Check(platform.config, await completeConfig())).toBe(true);
    });

    it('has the methods its capabilities promise, and no others', () =>
      withAdapter(async (adapter) => {
        const { streams, webhook } = platform.capabilities;
        expect(typeof adapter.stream === 'function', 'stream').toBe(Object.keys(streams).length > 0);
        expect(typeof adapter.handleWebhook === 'function', 'handleWebhook').toBe(webhook);
      }));

    it('starts and stops, once or twice', () =>
      withAdapter(async (adapter) => {
        await adapter.start();
        await adapter.start();
        await adapter.stop();
        await adapter.stop();
      }));

    it('aborts its start when it is stopped', () =>
      withAdapter(async (adapter) => {
        const starting = adapter.start().catch(() => undefined);
        await adapter.stop();
        await starting;
        await expect(adapter.send(message)).rejects.toBeInstanceOf(ParleyError);
      }));

    it('can be stopped without having been started', () => withAdapter((adapter) => adapter.stop()));

    if (Object.keys(platform.capabilities.streams).length > 0 && chat !== null) {
      describe('an answer that is shown while it is written', () => {
        const outgoing = (uuid: string): OutgoingMessage => ({
          ...message,
          uuid,
          idempotency_token: uuid,
          sequence: Number(uuid.slice(-1)),
          target: { ...message.target, ...chat?.target },
        });
        const said = (text: string) => [{ type: 'Plain' as const, text }];
        const opened = (use: (adapter: PlatformAdapter) => Promise<void>) =>
          withAdapter(async (adapter) => {
            await adapter.start();
            chat?.open?.(adapter);
            await use(adapter);
          });
        /** Shows the start of an answer, then drops the adapter. @returns the last stored handle */
        async function interrupted(uuid: string): Promise<MessageHandle | null> {
          let handle: MessageHandle | null = null;
          await opened(async (adapter) => {
            const stream = await adapter.stream?.(
              outgoing(uuid),
              progress(null, (stored) => {
                handle = stored;
              }),
            );
            await stream?.update(said('The start'));
          });
          return handle;
        }
        const progress = (handle: MessageHandle | null, store: (handle: MessageHandle) => void): SendProgress => ({
          handle,
          isInterrupted: false,
          store: async (stored) => {
            const json = JSON.stringify(stored);
            expect(Buffer.byteLength(json)).toBeLessThanOrEqual(longestMessageHandle);
            store(JSON.parse(json));
          },
        });
        const ignored = () => undefined;

        it('can be inspected by this suite', () => expect(chat).toBeDefined());

        it('is completed by another adapter, in the same message', async () => {
          const before = chat?.texts() ?? [];
          const handle = await interrupted('00000000-0000-7000-8000-000000000001');
          await opened(async (adapter) => {
            const next = progress(handle, ignored);
            const stream = await adapter.stream?.(outgoing('00000000-0000-7000-8000-000000000001'), next);
            await stream?.update(said('Again'));
            await stream?.finish(said('Again, to the end'));
          });
          expect(chat?.texts()).toEqual([...before, 'Again, to the end']);
        });

        it('is completed by sending it whole, in the same message', async () => {
          const before = chat?.texts() ?? [];
          const handle = await interrupted('00000000-0000-7000-8000-000000000002');
          await opened(async (adapter) => {
            const whole = { ...outgoing('00000000-0000-7000-8000-000000000002'), message_chain: said('The whole') };
            await adapter.send(whole, progress(handle, ignored));
          });
          expect(chat?.texts()).toEqual([...before, 'The whole']);
        });
      });
    }

    it('refuses to send before it was started and after it was stopped', () =>
      withAdapter(async (adapter) => {
        await expect(adapter.send(message)).rejects.toBeInstanceOf(ParleyError);
        await adapter.start();
        await adapter.stop();
        await expect(adapter.send(message)).rejects.toBeInstanceOf(ParleyError);
      }));
  });
}

/** What can be seen without running anything. */
function declarationTests(platform: Platform): void {
  identityTests(platform);

  it('declares its capabilities', () => {
    const { proactive, streams, thread_streams, text_limit, elements } = platform.capabilities;
    expect(['any', 'known', 'window', 'quota', 'none']).toContain(proactive);
    for (const stream of [...Object.values(streams), thread_streams ?? { interval_ms: 0 }]) {
      expect(stream.interval_ms).toBeGreaterThanOrEqual(0);
    }
    expect(text_limit === null || (Number.isInteger(text_limit.most) && text_limit.most >= 100)).toBe(true);
    expect(elements).toContain('Plain');
    for (const element of elements) expect(Object.keys(messageElements)).toContain(element);
    expect(new Set(elements).size).toBe(elements.length);
  });

  it('has valid defaults', () => {
    for (const [name, schema] of Object.entries(platform.config.properties)) {
      if (!('default' in schema)) continue;
      expect(Check(schema, schema.default), `default of ${name}`).toBe(true);
    }
  });
}
