import type { DeliveryError } from '../src/delivery-error.ts';
import type { FeedbackEvent } from '../src/feedback-event.ts';
import type { MessageEvent, MessageReceipt } from '../src/message-event.ts';
import type { ConnectionReport, PlatformContext, PlatformNotice, StateValues, StoredMedia } from '../src/platform.ts';
import type { BotAccount } from '../src/platform-account.ts';
import { silentLogger } from './silent-logger.ts';

/** A platform context that records its input. */
export interface FakePlatformContext extends PlatformContext {
  /** Every event that was handed over, repeats included. */
  received: MessageEvent[];
  /** Feedback of users on answers. */
  feedback: FeedbackEvent[];
  /** Every report of the connection. */
  reports: ConnectionReport[];
  /** What the adapter remembers, by name. Give it to another context for a restart. */
  values: Map<string, string>;
  /** Files that were stored, by their path. */
  media: Map<string, StoredMedia & { bytes: Uint8Array }>;
  /** Changes of messages and chats. */
  notices: PlatformNotice[];
  /** Messages that were reported as not delivered, by their id on the platform. */
  failures: Map<string, DeliveryError>;
  /** What `storedAccount` says. */
  account: BotAccount | null;
  /** Ids of requests that were seen. */
  usedIds: Set<string>;
}

/** Creates a context that stores messages in memory and deduplicates by platform message id, as the server does. */
export function fakePlatformContext(overrides: Partial<PlatformContext> = {}): FakePlatformContext {
  const received: MessageEvent[] = [];
  const feedback: FeedbackEvent[] = [];
  const reports: ConnectionReport[] = [];
  const media: FakePlatformContext['media'] = new Map();
  const receipts = new Map<string, MessageReceipt>();
  const values = new Map<string, string>();
  const notices: PlatformNotice[] = [];
  const failures: FakePlatformContext['failures'] = new Map();
  const usedIds = new Set<string>();
  const remember = (changes: StateValues) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) values.delete(name);
      else values.set(name, value);
    }
  };
  const context: FakePlatformContext = {
    received,
    feedback,
    reports,
    media,
    values,
    notices,
    failures,
    usedIds,
    account: null,
    storedAccount: () => context.account,
    state: {
      read: async (name) => values.get(name) ?? null,
      write: async (changes) => remember(changes),
    },
    bot_uuid: '00000000-0000-7000-8000-000000000001',
    logger: silentLogger,
    async receive(event, state = {}) {
      received.push(event);
      remember(state);
      const earlier = receipts.get(event.platform_message_id);
      if (earlier !== undefined) return { ...earlier, outcome: 'repeated' };
      const sequence = receipts.size + 1;
      const receipt: MessageReceipt = {
        outcome: 'accepted',
        uuid: `00000000-0000-7000-8000-${sequence.toString(16).padStart(12, '0')}`,
        sequence,
        created_at: new Date().toISOString(),
      };
      receipts.set(event.platform_message_id, receipt);
      return receipt;
    },
    intakeClosed: new AbortController().signal,
    receiveFeedback: async (event) => void feedback.push(event),
    reportConnection: (report) => void reports.push(report),
    webhook_url: null,
    webhook_secret: 'w'.repeat(43),
    fetch: globalThis.fetch,
    fetchContent: globalThis.fetch,
    receiveNotice: async (notice) => void notices.push(notice),
    reportFailure: async (id, failure) => void failures.set(id, failure),
    isFirstUse: async (id) => usedIds.size < usedIds.add(id).size,
    forgetUse: async (id) => void usedIds.delete(id),
    openSocket: () => Promise.reject(new Error('The test gives no client for websockets')),
    listen: () => Promise.reject(new Error('The test gives no server for websockets')),
    async storeMedia(name, content) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) chunks.push(chunk);
      const bytes = new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
      const stored = {
        path: `media-${media.size + 1}`,
        name,
        size: bytes.length,
        media_type: 'application/octet-stream',
      };
      media.set(stored.path, { ...stored, bytes });
      return stored;
    },
    async readMedia(path) {
      const known = media.get(path);
      if (known === undefined) return null;
      const { bytes, ...stored } = known;
      return { ...stored, content: new Blob([bytes as BlobPart]).stream() };
    },
    async receiveAll(events) {
      const results: PromiseSettledResult<MessageReceipt>[] = [];
      const failed = new Map<string, unknown>();
      for (const event of events) {
        const chat = JSON.stringify([event.session_type, event.session_id, event.thread_id ?? '']);
        if (failed.has(chat)) {
          results.push({ status: 'rejected', reason: failed.get(chat) });
          continue;
        }
        const [result] = await Promise.allSettled([context.receive(event)]);
        if (result.status === 'rejected') failed.set(chat, result.reason);
        results.push(result);
      }
      return results;
    },
    ...overrides,
  };
  return context;
}
