import { type MessageChain, ParleyError } from '@parley/sdk';
import type { Transaction } from 'kysely';
import type { DeliveryOutcome } from '../../core/messages/delivery.ts';
import type { PostponedDelivery } from '../../core/messages/delivery-ledger.ts';
import type { ClaimedMessage, MessageClaim } from '../../core/messages/message.ts';
import type { PluginEffectKind, PluginEffects, StoredReply } from '../../core/messages/plugin-effects.ts';
import type { EffectKey, EffectSource, SendResult } from '../../core/plugins/effect-key.ts';
import { now } from '../../lib/clock.ts';
import { storableText } from '../../lib/storable-text.ts';
import type { Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { installedPlugin, notInstalledError } from '../plugins/installed-plugin.ts';
import { lockValues, storedValue, storeValue } from '../plugins/plugin-value-rows.ts';
import { answerColumns } from './kysely-delivery-ledger.ts';
import type { LedgerTables } from './ledger-tables.ts';
import { keepFiles } from './message-files.ts';

/** The effects of plugins in the database, beside the messages that they are for. */
export class KyselyPluginEffects implements PluginEffects {
  readonly #tables: LedgerTables;
  readonly #engine: Engine;

  constructor(tables: LedgerTables, engine: Engine) {
    this.#tables = tables;
    this.#engine = engine;
  }

  async verdictsOn(messageUuid: string): Promise<(Omit<EffectSource, 'claim'> & { verdict: unknown })[]> {
    const rows = await this.#tables.database
      .selectFrom('plugin_effects')
      .select(['message_uuid', 'plugin_id', 'point', 'content'])
      .where('message_uuid', '=', messageUuid)
      .where('kind', '=', 'verdict')
      .execute();
    return rows.map(({ content, ...source }) => ({ ...source, verdict: JSON.parse(content) as unknown }));
  }

  storeVerdict(source: EffectSource, verdict: unknown): Promise<unknown> {
    const key = { ...source, ordinal: 0 };
    return this.#tables.transaction(async (transaction) => {
      await this.#tables.claims.assertOurs(transaction, claimIn(key));
      const earlier = await stored(transaction, key, 'verdict');
      if (earlier !== undefined) return JSON.parse(earlier.content) as unknown;
      await insert(transaction, this.#engine, key, { kind: 'verdict', content: verdict });
      return verdict;
    });
  }

  storeReply(
    key: EffectKey,
    question: ClaimedMessage,
    { chain, text, expiresAt }: { chain: MessageChain; text: string; expiresAt: string },
  ): Promise<StoredReply> {
    const { claims, deliveries, rows } = this.#tables;
    return this.#tables.transaction(async (transaction) => {
      await claims.assertOurs(transaction, question);
      const earlier = await stored(transaction, key, 'reply');
      if (earlier?.reply_uuid) return this.#reply(transaction, earlier.reply_uuid);
      const { bot_uuid, conversation_uuid } = question;
      const columns = answerColumns(question, { message_chain: chain, text: storableText(text), state: 'finished' });
      // It is no answer: there may be several of them, and one of these.
      const { uuid } = await rows.insert(
        transaction,
        { uuid: conversation_uuid, bot_uuid },
        { ...columns, reply_to: null },
      );
      await keepFiles(transaction, chain);
      await deliveries.begin(transaction, uuid, [chain], { begins: false, expires_at: expiresAt });
      await insert(transaction, this.#engine, key, { kind: 'reply', reply_uuid: uuid, content: null });
      return this.#reply(transaction, uuid);
    });
  }

  async openReplies(messageUuid: string): Promise<StoredReply[]> {
    const { database } = this.#tables;
    const rows = await database
      .selectFrom('plugin_effects')
      .innerJoin('deliveries', 'deliveries.message_uuid', 'plugin_effects.reply_uuid')
      .innerJoin('messages', 'messages.uuid', 'plugin_effects.reply_uuid')
      .select('messages.uuid')
      .where('plugin_effects.message_uuid', '=', messageUuid)
      .where('deliveries.state', 'in', ['pending', 'sending'])
      .execute();
    // Reads need no transaction.
    const replies = await Promise.all(rows.map(({ uuid }) => this.#reply(database as Transaction<Tables>, uuid)));
    return replies.toSorted((left, right) => left.message.sequence - right.message.sequence);
  }

  beginReply(replyUuid: string, question: MessageClaim): Promise<void> {
    const { claims, deliveries } = this.#tables;
    return this.#tables.transaction(async (transaction) => {
      await claims.assertOurs(transaction, question);
      await deliveries.beginNext(transaction, replyUuid, 0);
    });
  }

  endReply(replyUuid: string, question: MessageClaim, outcome: DeliveryOutcome): Promise<void> {
    const { claims, deliveries } = this.#tables;
    return this.#tables.transaction(async (transaction) => {
      await claims.assertOurs(transaction, question);
      await deliveries.end(transaction, replyUuid, 0, outcome);
    });
  }

  postponeReply(
    replyUuid: string,
    question: MessageClaim,
    failure: Pick<PostponedDelivery, 'reason' | 'error' | 'unconfirmed_since'>,
  ): Promise<void> {
    const { claims, deliveries } = this.#tables;
    return this.#tables.transaction(async (transaction) => {
      await claims.assertOurs(transaction, question);
      await deliveries.postpone(transaction, { answer_uuid: replyUuid, piece: 0, ...failure });
    });
  }

  beginSend(key: EffectKey): Promise<SendResult | null> {
    return this.#tables.transaction(async (transaction) => {
      await this.#tables.claims.assertOurs(transaction, claimIn(key));
      const earlier = await stored(transaction, key, 'send');
      if (earlier !== undefined) return JSON.parse(earlier.content) as SendResult;
      await insert(transaction, this.#engine, key, {
        kind: 'send',
        content: { state: 'sending' } satisfies SendResult,
      });
      return null;
    });
  }

  async endSend(key: EffectKey, result: SendResult): Promise<void> {
    const { message_uuid, plugin_id, point, ordinal } = key;
    await this.#tables.transaction(async (transaction) => {
      await this.#tables.claims.assertOurs(transaction, claimIn(key));
      await transaction
        .updateTable('plugin_effects')
        .set({ content: JSON.stringify(result) })
        .where('message_uuid', '=', message_uuid)
        .where('plugin_id', '=', plugin_id)
        .where('point', '=', point)
        .where('kind', '=', 'send')
        .where('ordinal', '=', ordinal)
        .execute();
    });
  }

  add(key: EffectKey | null, addition: { plugin_id: string; key: string; amount: number }): Promise<number> {
    const { plugin_id, amount } = addition;
    return this.#tables.transaction(async (transaction) => {
      if (key !== null) {
        await this.#tables.claims.assertOurs(transaction, claimIn(key));
        const earlier = await stored(transaction, key, 'add');
        // As this method stored it.
        if (earlier !== undefined) return JSON.parse(earlier.content) as number;
      }
      await lockValues(transaction, this.#engine, plugin_id);
      const before: unknown = JSON.parse((await storedValue(transaction, plugin_id, addition.key)) ?? '0');
      const sum = typeof before === 'number' ? before + amount : Number.NaN;
      if (!Number.isFinite(sum)) throw new ParleyError('conflict', 'The stored value is no number, or would be none');
      await storeValue(transaction, { plugin_id, key: addition.key, value: JSON.stringify(sum) });
      if (key !== null) await insert(transaction, this.#engine, key, { kind: 'add', content: sum });
      return sum;
    });
  }

  async #reply(transaction: Transaction<Tables>, uuid: string): Promise<StoredReply> {
    const message = await this.#tables.rows.byUuid(transaction, uuid);
    const [delivery] = await this.#tables.deliveries.of(transaction, message);
    if (delivery === undefined) throw new Error('A reply has no delivery');
    return { message, delivery };
  }
}

function claimIn({ message_uuid, claim }: EffectSource): MessageClaim {
  return { uuid: message_uuid, claim };
}

function stored(transaction: Transaction<Tables>, key: EffectKey, kind: PluginEffectKind) {
  const { message_uuid, plugin_id, point, ordinal } = key;
  return transaction
    .selectFrom('plugin_effects')
    .select(['content', 'reply_uuid'])
    .where('message_uuid', '=', message_uuid)
    .where('plugin_id', '=', plugin_id)
    .where('point', '=', point)
    .where('kind', '=', kind)
    .where('ordinal', '=', ordinal)
    .executeTakeFirst();
}

/** @throws ParleyError `plugin_not_running` when the plugin is not installed any more: what it stored may have been deleted */
async function insert(
  transaction: Transaction<Tables>,
  engine: Engine,
  { message_uuid, plugin_id, point, ordinal }: EffectKey,
  { kind, reply_uuid = null, content }: { kind: PluginEffectKind; reply_uuid?: string | null; content: unknown },
): Promise<void> {
  const stored = await transaction
    .insertInto('plugin_effects')
    .columns(['message_uuid', 'plugin_id', 'point', 'kind', 'ordinal', 'reply_uuid', 'content', 'created_at'])
    .expression(({ val }) =>
      installedPlugin(transaction, engine, plugin_id).select([
        val(message_uuid).as('message_uuid'),
        'id',
        val(point).as('point'),
        val(kind).as('kind'),
        val(ordinal).as('ordinal'),
        val(reply_uuid).as('reply_uuid'),
        val(storableText(JSON.stringify(content))).as('content'),
        val(now()).as('created_at'),
      ]),
    )
    .returning('plugin_id')
    .executeTakeFirst();
  if (stored === undefined) throw notInstalledError();
}
