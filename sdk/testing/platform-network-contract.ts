import { describe, expect, it } from 'vitest';
import { DeliveryError, type DeliveryFailureKind } from '../src/delivery-error.ts';
import { textOfChain } from '../src/message-text.ts';
import type { OutgoingMessage, Platform, PlatformAdapter, PlatformContext } from '../src/platform.ts';
import { type FakePlatformContext, fakePlatformContext } from './fake-platform-context.ts';

/** How the platform was told that the service has a message. */
export type Acknowledgement = 'acknowledged' | 'refused';

/** A fake of the platform, as its users and its operators see it. It judges by what it received. */
export interface FakeNetwork {
  /** Configuration of a bot of the fake. */
  config(): Record<string, unknown>;
  /**
   * A user writes to a bot. Resolves when the platform knows whether it has to deliver the message again.
   * @param id the same one for the same message
   */
  write(adapter: PlatformAdapter, message: { id: string; text: string }): Promise<Acknowledgement>;
  /** Delivers forged requests, for platforms with webhooks: unsigned, too old, changed. By what is wrong. */
  forgeries?: Record<string, (adapter: PlatformAdapter) => Promise<Acknowledgement>>;
  /** The texts that arrived, oldest first. */
  arrived(): string[];
  /** Fails the next send in this way; the platform's own rate limit is `not_sent`. */
  failNext(kind: DeliveryFailureKind): void;
}

const outgoing = (text: string): OutgoingMessage => ({
  uuid: '00000000-0000-7000-8000-0000000000ab',
  sequence: 1,
  piece: 0,
  reply_to: null,
  target: { session_type: 'person', session_id: 'ada', thread_id: '', pipeline_uuid: null },
  message_chain: [{ type: 'Plain', text }],
  created_at: '2026-01-01T00:00:00.000Z',
  idempotency_token: `token of ${text}`,
});

/** Registers the tests of a platform with its network: what arrives, what is acknowledged, what is sent, what fails. */
export function platformNetworkContract(platform: Platform, open: () => Promise<FakeNetwork>): void {
  async function connected(
    use: (network: FakeNetwork, adapter: PlatformAdapter, context: FakePlatformContext) => Promise<void>,
    over: Partial<PlatformContext> = {},
  ): Promise<void> {
    const network = await open();
    const context = fakePlatformContext(over);
    const { create } = await platform.load();
    const adapter = create(network.config(), context);
    try {
      await adapter.start();
      await use(network, adapter, context);
    } finally {
      await adapter.stop();
    }
  }

  describe(`platform ${platform.name} on its network`, () => {
    it('hands messages of users over, and acknowledges them', () =>
      connected(async (network, adapter, { received }) => {
        expect(await network.write(adapter, { id: 'm-1', text: 'Hello 你好' })).toBe('acknowledged');
        expect(received).toHaveLength(1);
        expect(received[0]?.platform_message_id).toContain('m-1');
        expect(received[0]?.sender_id).not.toBe('');
        expect(textOfChain(received[0]?.message_chain ?? [])).toBe('Hello 你好');
      }));

    it('acknowledges a message only when it is stored', async () => {
      const stored = Promise.withResolvers<void>();
      const wait = fakePlatformContext();
      const receive: PlatformContext['receive'] = async (event) => {
        await stored.promise;
        return wait.receive(event);
      };
      await connected(
        async (network, adapter) => {
          let acknowledged: Acknowledgement | null = null;
          const writing = network.write(adapter, { id: 'm-2', text: 'Hello' }).then((how) => {
            acknowledged = how;
          });
          await new Promise((resolve) => setImmediate(resolve));
          expect(acknowledged).toBeNull();
          stored.resolve();
          await writing;
          expect(acknowledged).toBe('acknowledged');
          expect(wait.received).toHaveLength(1);
        },
        { receive },
      );
    });

    it('does not acknowledge a message that cannot be stored, and takes it when it is repeated', async () => {
      const context = fakePlatformContext();
      let isFull = true;
      const receive: PlatformContext['receive'] = (event) =>
        isFull ? Promise.reject(new Error('The disk is full')) : context.receive(event);
      await connected(
        async (network, adapter) => {
          expect(await network.write(adapter, { id: 'm-3', text: 'Hello' })).toBe('refused');
          isFull = false;
          expect(await network.write(adapter, { id: 'm-3', text: 'Hello' })).toBe('acknowledged');
          expect(context.received).toHaveLength(1);
        },
        { receive },
      );
    });

    it('gives a repeated message the same id, by which the service drops it', () =>
      connected(async (network, adapter, { received }) => {
        for (let times = 0; times < 2; times += 1) {
          expect(await network.write(adapter, { id: 'm-4', text: 'Hello' })).toBe('acknowledged');
        }
        expect(new Set(received.map(({ platform_message_id }) => platform_message_id)).size).toBe(1);
      }));

    it('sends', () =>
      connected(async (network, adapter) => {
        const before = network.arrived();
        await adapter.send(outgoing('Good day 你好'));
        expect(network.arrived()).toEqual([...before, 'Good day 你好']);
      }));

    it.each<DeliveryFailureKind>(['refused', 'not_sent', 'unknown'])('says that a send was %s', (kind) =>
      connected(async (network, adapter) => {
        const before = network.arrived();
        network.failNext(kind);
        const failure = await adapter.send(outgoing(`fails: ${kind}`)).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(DeliveryError);
        expect((failure as DeliveryError).kind).toBe(kind);
        // What was not sent must not have arrived; of the unknown, nothing is said.
        if (kind !== 'unknown') expect(network.arrived()).toEqual(before);
        await adapter.send(outgoing(`after one that was ${kind}`));
        expect(network.arrived().at(-1)).toBe(`after one that was ${kind}`);
      }),
    );

    if (platform.capabilities.webhook) {
      it('refuses what the platform did not sign, and hands nothing of it over', () =>
        connected(async (network, adapter, { received }) => {
          const forgeries = Object.entries(network.forgeries ?? {});
          expect(forgeries.length, 'forgeries to try').toBeGreaterThan(0);
          for (const [what, forge] of forgeries) expect(await forge(adapter), what).toBe('refused');
          expect(received).toEqual([]);
        }));
    }
  });
}
