import { connect } from 'node:net';
import {
  DeliveryError,
  type OutgoingMessage,
  ParleyError,
  type Platform,
  type PlatformAdapter,
  type PlatformContext,
  type SentMessage,
  textOfChain,
} from '@parley/sdk';
import Type from 'typebox';
import { type Lines, lineAdapters, openLines, type ToAdapter, type ToPlatform } from './line-protocol.ts';

/** The adapters of the two kinds of platforms of `line-messenger.ts`. They run in the service. */
export const linePlatforms: readonly Platform[] = [
  platform(lineAdapters.honoursTokens, true),
  platform(lineAdapters.ignoresTokens, false),
];

function platform(name: string, idempotent_sends: boolean): Platform {
  return {
    name,
    label: { en_US: 'Lines' },
    description: { en_US: 'A platform for benchmarks' },
    categories: ['protocol'],
    capabilities: {
      proactive: 'any',
      streams: {},
      text_limit: null,
      idempotent_sends,
      elements: ['Plain'],
      webhook: false,
    },
    config: Type.Object({ port: Type.Integer({ minimum: 1, maximum: 65_535 }) }, { additionalProperties: false }),
    load: async () => ({ create: (config, context) => createAdapter(Number(config.port), context) }),
  };
}

function createAdapter(port: number, context: PlatformContext): PlatformAdapter {
  const sending = new Map<number, PromiseWithResolvers<SentMessage>>();
  /** Per conversation, the end of its stores in progress: messages are stored in order. */
  const storing = new Map<string, Promise<void>>();
  let lines: Lines<ToPlatform> | null = null;
  let lastRequest = 0;
  let isStopped = false;

  function onLine(line: ToAdapter): void {
    if (line.type === 'taken') {
      const { request, platform_message_id } = line;
      sending.get(request)?.resolve({ platform_message_id });
      sending.delete(request);
    }
    if (line.type === 'question') {
      const { conversation } = line;
      const stored = (storing.get(conversation) ?? Promise.resolve()).then(() => store(line));
      storing.set(conversation, stored);
      void stored.then(() => {
        if (storing.get(conversation) === stored) storing.delete(conversation);
      });
    }
  }

  /**
   * A failed store closes the connection, so that the platform delivers all unacknowledged messages again, in order.
   */
  async function store({ id, conversation, text }: ToAdapter & { type: 'question' }): Promise<void> {
    const target = lines;
    if (target === null) return;
    try {
      await context.receive({
        platform_message_id: id,
        session_type: 'person',
        session_id: conversation,
        sender_id: conversation,
        sender_name: conversation,
        message_chain: [{ type: 'Plain', text }],
      });
      target.write({ type: 'stored', id });
    } catch (error) {
      context.logger.warn({ error }, 'a question could not be stored');
      target.destroy();
    }
  }

  function onEnd(): void {
    lines = null;
    for (const { reject } of sending.values()) {
      reject(new DeliveryError('unknown', 'platform_failed', 'The connection ended before the platform answered'));
    }
    sending.clear();
    if (isStopped) return;
    context.reportConnection({ state: 'failed', reason: 'platform_failed', message: 'The connection ended' });
  }

  return {
    start: () =>
      new Promise((resolve, reject) => {
        const opened = openLines<ToAdapter, ToPlatform>(
          connect(port, '127.0.0.1'),
          (line) => {
            if (line.type === 'welcome') resolve();
            onLine(line);
          },
          () => {
            reject(new ParleyError('platform_failed', 'The connection ended before it was welcomed'));
            onEnd();
          },
        );
        lines = opened;
        opened.write({ type: 'hello' });
      }),
    stop: async () => {
      isStopped = true;
      lines?.destroy();
    },
    send: (message: OutgoingMessage) => {
      if (lines === null) throw new DeliveryError('not_sent', 'platform_failed', 'There is no connection');
      const request = ++lastRequest;
      const sent = Promise.withResolvers<SentMessage>();
      sending.set(request, sent);
      lines.write({
        type: 'send',
        request,
        token: message.idempotency_token,
        conversation: message.target.session_id,
        reply_to: message.reply_to?.platform_message_id ?? null,
        piece: message.piece,
        text: textOfChain(message.message_chain),
      });
      return sent.promise;
    },
  };
}
