import type { MessageEvent, Reason } from '@parley/sdk';
import type { ClaimableBots } from '../../../core/bots/running-bot.ts';
import type { ConversationKey } from '../../../core/conversations/conversation.ts';
import type { ClaimedMessage, MessageClaim } from '../../../core/messages/message.ts';
import type {
  Arrival,
  MessageEnd,
  MessageOutcome,
  SealedParts,
  StoredReceipt,
} from '../../../core/messages/message-ledger.ts';
import { KyselyMessageLedger, textOfKey } from '../kysely-message-ledger.ts';
import type { LedgerTables } from '../ledger-tables.ts';
import { hasFiles } from '../message-files.ts';
import type { BatchWriter } from './batch-writer.ts';
import type { EarlyResults } from './early-results.ts';
import type { LedgerOperation } from './ledger-batch.ts';
import { within } from './within.ts';

/** About how many characters the columns of a message take beside its text. */
const rowSize = 500;

/** The inbound messages in a PostgreSQL database: what every message passes is written in batches. */
export class PostgresMessageLedger extends KyselyMessageLedger {
  readonly #tables: LedgerTables;
  readonly #writer: BatchWriter<LedgerOperation>;
  readonly #early: EarlyResults;

  constructor(tables: LedgerTables, writer: BatchWriter<LedgerOperation>, early: EarlyResults) {
    super(tables);
    this.#tables = tables;
    this.#writer = writer;
    this.#early = early;
  }

  override async accept(key: ConversationKey, event: MessageEvent, sealed: SealedParts = {}): Promise<StoredReceipt> {
    const [receipt] = await this.acceptAll([{ key, event, ...sealed }]);
    if (receipt === undefined) throw new Error('A message has no receipt');
    return receipt;
  }

  override async acceptAll(arrivals: readonly Arrival[]): Promise<StoredReceipt[]> {
    if (arrivals.length === 0) return [];
    const shape = {
      arrives: true,
      keys: [...new Set(arrivals.map(({ key }) => textOfKey(key)))],
      size: arrivals.reduce((size, { event }) => size + rowSize + 2 * JSON.stringify(event.message_chain).length, 0),
    };
    const operation: LedgerOperation =
      this.#tables.webhooks.mayTell || arrivals.some(hasMore)
        ? {
            kind: 'other',
            company: 'alone',
            ...shape,
            work: (transaction) => new KyselyMessageLedger(within(this.#tables, transaction)).acceptAll(arrivals),
          }
        : { kind: 'accept', company: 'shared', ...shape, arrivals };
    return (await this.#writer.add(operation)) as StoredReceipt[];
  }

  override async claim(bots: ClaimableBots, limit: number): Promise<ClaimedMessage[]> {
    const operation = { kind: 'claim', company: 'shared', keys: [], size: 0, bots, limit } as const;
    return (await this.#writer.add(operation)) as ClaimedMessage[];
  }

  override async release(
    message: MessageClaim,
    wait: { until: string; reason: Reason } | null,
    { isCounted = true }: { isCounted?: boolean } = {},
  ): Promise<boolean> {
    const dueAt = wait === null ? null : Date.parse(wait.until);
    if (Number.isNaN(dueAt)) throw new Error(`A message cannot wait until ${wait?.until}`);
    const reason = wait?.reason ?? null;
    const shape = { company: 'turn', keys: [message.uuid], size: rowSize } as const;
    return (await this.#writer.add({ kind: 'release', ...shape, message, reason, dueAt, isCounted })) as boolean;
  }

  override settle(message: ClaimedMessage, intended: MessageOutcome, end: MessageEnd): Promise<MessageOutcome | null> {
    const size = rowSize + (end.record === null ? 0 : JSON.stringify(end.record).length);
    const shape = { company: 'turn', keys: [textOfKey(message), message.uuid], size } as const;
    const settled = this.#writer.add({ kind: 'settle', ...shape, message, intended, end });
    return this.#early.with(end.answer, message, settled as Promise<MessageOutcome | null>);
  }
}

/** What is stored encrypted, context and files have tables of their own. */
function hasMore({ event, replyContext, media = [], state }: Arrival): boolean {
  const { context, message_chain } = event;
  return context !== undefined || replyContext != null || media.length > 0 || state != null || hasFiles(message_chain);
}
