import type { KeptRequest, ModelRequestStore } from '../../core/messages/model-requests.ts';
import { now } from '../../lib/clock.ts';
import type { Database } from '../database.ts';

export class KyselyModelRequestStore implements ModelRequestStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(message_uuid: string, requests: readonly KeptRequest[]): Promise<void> {
    for (const { call_uuid, expires_at, ...request } of requests) {
      await this.#database
        .insertInto('model_requests')
        .columns(['call_uuid', 'message_uuid', 'expires_at', 'request'])
        .expression(({ selectFrom, val }) =>
          selectFrom('messages')
            .select((eb) => [
              eb.cast<string>(val(call_uuid), 'text').as('call_uuid'),
              'messages.uuid',
              eb.cast<string>(val(expires_at), 'text').as('expires_at'),
              eb.cast<string>(val(JSON.stringify(request)), 'text').as('request'),
            ])
            .where('messages.uuid', '=', message_uuid),
        )
        .execute();
    }
  }

  async ofMessage(message_uuid: string): Promise<KeptRequest[]> {
    // Ids sort by creation time.
    const rows = await this.#database
      .selectFrom('model_requests')
      .select(['call_uuid', 'expires_at', 'request'])
      .where('message_uuid', '=', message_uuid)
      .where('expires_at', '>', now())
      .orderBy('call_uuid')
      .execute();
    return rows.map(({ request, ...row }) => ({
      ...row,
      ...(JSON.parse(request) as Omit<KeptRequest, keyof typeof row>),
    }));
  }

  async prune(limit: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('model_requests')
      .where('call_uuid', 'in', ({ selectFrom }) =>
        selectFrom('model_requests')
          .select('call_uuid')
          .where('expires_at', '<=', now())
          .orderBy('expires_at')
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}
