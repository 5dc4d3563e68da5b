import { sql, type Transaction } from 'kysely';
import type { ToolCall } from '../../core/tools/tool-call.ts';
import type { NewToolCall, ToolCallEnd, ToolCallStore } from '../../core/tools/tool-call-store.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { notClaimedError } from '../messages/message-claims.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { isAbandoned, type TakesOver } from '../replicas/replica-rows.ts';
import { columnsOf } from '../table-columns.ts';

export class KyselyToolCallStore implements ToolCallStore, TakesOver {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #claimant: Claimant;

  constructor(database: Database, engine: Engine, claimant: Claimant) {
    this.#database = database;
    this.#engine = engine;
    this.#claimant = claimant;
  }

  async begin({ uuid, message_uuid, tool_name, parameters, started_at }: NewToolCall, claim: number): Promise<void> {
    const { id } = this.#claimant;
    const { numInsertedOrUpdatedRows } = await this.#database
      .insertInto('tool_calls')
      .columns(['uuid', 'message_uuid', 'tool_name', 'parameters', 'started_at', 'state', 'claimed_by'])
      .expression(({ selectFrom, val }) =>
        selectFrom('messages')
          .select([
            val(uuid).as('uuid'),
            'messages.uuid as message_uuid',
            val(tool_name).as('tool_name'),
            val(parameters).as('parameters'),
            val(started_at).as('started_at'),
            sql.lit('running' as const).as('state'),
            'messages.claimed_by',
          ])
          .where('messages.uuid', '=', message_uuid)
          .where('messages.claimed_by', '=', id)
          .where('messages.claim', '=', claim)
          // A takeover of the message waits, and finds the call.
          .$if(this.#engine === 'postgres', (message) => message.forShare()),
      )
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) throw notClaimedError();
  }

  async end(uuid: string, end: ToolCallEnd): Promise<void> {
    await this.#database
      .updateTable('tool_calls')
      .set({ ...end, claimed_by: null })
      .where('uuid', '=', uuid)
      .where('state', '=', 'running')
      .execute();
  }

  interruptAbandoned(): Promise<number> {
    return interruptAbandoned(this.#database);
  }

  async takeOver(transaction: Transaction<Tables>): Promise<void> {
    await interruptAbandoned(transaction);
  }

  async ofMessage(messageUuid: string): Promise<ToolCall[]> {
    return (
      this.#database
        .selectFrom('tool_calls')
        .select(columnsOf('tool_calls'))
        .where('message_uuid', '=', messageUuid)
        // Ids sort by creation time.
        .orderBy('uuid')
        .execute()
    );
  }
}

async function interruptAbandoned(database: Database): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('tool_calls')
    .set({
      state: 'interrupted',
      reason: 'interrupted',
      error: 'The process ended while the tool was called.',
      claimed_by: null,
    })
    .where('state', '=', 'running')
    .where(isAbandoned<'tool_calls'>('tool_calls.claimed_by'))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
