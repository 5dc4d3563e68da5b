import type { ToolCall } from '../../core/tools/tool-call.ts';
import type { NewToolCall, ToolCallEnd, ToolCallStore } from '../../core/tools/tool-call-store.ts';
import type { Database } from '../database.ts';
import { columnsOf } from '../table-columns.ts';

export class KyselyToolCallStore implements ToolCallStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async begin(call: NewToolCall): Promise<void> {
    await this.#database
      .insertInto('tool_calls')
      .values({ ...call, state: 'running' })
      .execute();
  }

  async end(uuid: string, end: ToolCallEnd): Promise<void> {
    await this.#database
      .updateTable('tool_calls')
      .set(end)
      .where('uuid', '=', uuid)
      .where('state', '=', 'running')
      .execute();
  }

  async interruptRunning(): Promise<number> {
    const { numUpdatedRows } = await this.#database
      .updateTable('tool_calls')
      .set({ state: 'interrupted', reason: 'interrupted', error: 'The process ended while the tool was called.' })
      .where('state', '=', 'running')
      .executeTakeFirst();
    return Number(numUpdatedRows);
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
