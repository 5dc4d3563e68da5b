import type { Transaction } from 'kysely';
import type { MessageOutcome } from '../../core/messages/message-ledger.ts';
import type { KnowledgeRecord, MessageRecord, MessageTrace } from '../../core/messages/message-trace.ts';
import type { Database, Tables } from '../database.ts';
import { PreparedQuery } from '../prepared-query.ts';

/** A trace as it is stored: with the outcome of the message, while its answer is still to be sent. */
type StoredTrace = MessageTrace & { outcome?: MessageOutcome };

/** Records of a message: its trace, model calls and knowledge base queries. */
export class MessageRecords {
  readonly #traceOf: PreparedQuery<Pick<Tables['message_traces'], 'trace'>, { message_uuid: string }>;
  readonly #trace: PreparedQuery<unknown, Tables['message_traces']>;
  readonly #call: PreparedQuery<unknown, Tables['model_calls']>;
  readonly #retrieval: PreparedQuery<unknown, Tables['message_retrievals']>;
  readonly #citations: PreparedQuery<unknown, Tables['message_citations']>;

  constructor(database: Database) {
    this.#traceOf = new PreparedQuery(database, (value) =>
      database.selectFrom('message_traces').select('trace').where('message_uuid', '=', value('message_uuid')),
    );
    this.#trace = new PreparedQuery(database, (value) =>
      database
        .insertInto('message_traces')
        .values({ message_uuid: value('message_uuid'), trace: value('trace') })
        .onConflict((conflict) => conflict.column('message_uuid').doUpdateSet({ trace: value('trace') })),
    );
    this.#call = new PreparedQuery(database, (value) =>
      database
        .insertInto('model_calls')
        .values({
          uuid: value('uuid'),
          message_uuid: value('message_uuid'),
          model_uuid: value('model_uuid'),
          model_name: value('model_name'),
          started_at: value('started_at'),
          milliseconds: value('milliseconds'),
          first_piece_milliseconds: value('first_piece_milliseconds'),
          input_tokens: value('input_tokens'),
          output_tokens: value('output_tokens'),
          cost: value('cost'),
          reason: value('reason'),
          error: value('error'),
          plugin_id: value('plugin_id'),
        })
        .onConflict((conflict) => conflict.column('uuid').doNothing()),
    );
    this.#retrieval = new PreparedQuery(database, (value) =>
      database.insertInto('message_retrievals').values({
        uuid: value('uuid'),
        message_uuid: value('message_uuid'),
        started_at: value('started_at'),
        retrieval: value('retrieval'),
      }),
    );
    this.#citations = new PreparedQuery(database, (value) =>
      database.insertInto('message_citations').values({
        message_uuid: value('message_uuid'),
        report: value('report'),
        cited: value('cited'),
        dropped: value('dropped'),
      }),
    );
  }

  /** @param outcome how the message will end when its answer is sent */
  async write(
    transaction: Transaction<Tables>,
    message_uuid: string,
    { trace, model_calls, knowledge }: MessageRecord,
    outcome?: MessageOutcome,
  ): Promise<void> {
    await this.#trace.run(transaction, { message_uuid, trace: storedTrace(trace, outcome) });
    for (const { plugin_id = null, ...call } of model_calls) {
      await this.#call.run(transaction, { ...call, plugin_id, message_uuid });
    }
    if (trace.attempt > 1 || knowledge !== undefined) await this.#forgetKnowledge(transaction, message_uuid);
    if (knowledge !== undefined) await this.#writeKnowledge(transaction, message_uuid, knowledge);
  }

  /** The answer does not rest on passages of an unfinished attempt. */
  async #forgetKnowledge(transaction: Transaction<Tables>, message_uuid: string): Promise<void> {
    await transaction.deleteFrom('message_retrievals').where('message_uuid', '=', message_uuid).execute();
    await transaction.deleteFrom('message_citations').where('message_uuid', '=', message_uuid).execute();
  }

  async #writeKnowledge(
    transaction: Transaction<Tables>,
    message_uuid: string,
    { retrievals, citations }: KnowledgeRecord,
  ): Promise<void> {
    for (const { uuid, ...retrieval } of retrievals) {
      const columns = { uuid, message_uuid, started_at: retrieval.started_at };
      await this.#retrieval.run(transaction, { ...columns, retrieval: JSON.stringify(retrieval) });
    }
    if (citations === null) return;
    const cited = citations.citations.length;
    const columns = { message_uuid, cited, dropped: citations.dropped };
    await this.#citations.run(transaction, { ...columns, report: JSON.stringify(citations) });
  }

  /** How a message will end when its answer is sent; undefined if not recorded. */
  async outcome(database: Database, message_uuid: string): Promise<MessageOutcome | undefined> {
    const row = await this.#traceOf.first(database, { message_uuid });
    return row === undefined ? undefined : (JSON.parse(row.trace) as StoredTrace).outcome;
  }
}

/** The column of a trace. @param outcome how the message will end when its answer is sent */
export function storedTrace(trace: MessageTrace, outcome?: MessageOutcome): string {
  const stored: StoredTrace = outcome === undefined ? trace : { ...trace, outcome };
  return JSON.stringify(stored);
}
