import { type Logger, problemError, type SentRequest } from '@parley/sdk';
import { secondsFromNow } from '../../lib/clock.ts';
import type { MessageReader } from './message-reader.ts';

const secondsPerDay = 86_400;
/** Of one message together, characters. */
const maximumLength = 2 * 1024 * 1024;

/** A request to a model that is kept for the trace of a message. */
export interface KeptRequest extends SentRequest {
  call_uuid: string;
  /** ISO 8601 UTC. */
  expires_at: string;
}

export interface ModelRequestStore {
  /** Stores nothing for a message that was deleted meanwhile. */
  add(message_uuid: string, requests: readonly KeptRequest[]): Promise<void>;
  /** Those that have not expired, in the order of the calls. */
  ofMessage(message_uuid: string): Promise<KeptRequest[]>;
  /** Removes those that expired, at most `limit`. @returns how many */
  prune(limit: number): Promise<number>;
}

/** The requests to models as they were sent, beside the ledger: a message never waits for them, nor fails with them. */
export class ModelRequests {
  readonly #store: ModelRequestStore;
  readonly #logger: Logger;

  constructor(store: ModelRequestStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /** @param requests by the uuid of their call */
  async keep(message_uuid: string, requests: ReadonlyMap<string, SentRequest>, days: number): Promise<void> {
    const expires_at = secondsFromNow(days * secondsPerDay);
    const kept: KeptRequest[] = [];
    let length = 0;
    for (const [call_uuid, request] of requests) {
      length += request.body?.length ?? 0;
      if (length > maximumLength) break;
      kept.push({ call_uuid, ...request, expires_at });
    }
    try {
      if (kept.length > 0) await this.#store.add(message_uuid, kept);
    } catch (error) {
      this.#logger.warn({ message: message_uuid, error }, 'failed to keep the requests to models');
    }
  }

  /**
   * Of a message, or of the message that it answers.
   * @throws ParleyError `not_found`
   */
  async ofMessage(uuid: string, messages: Pick<MessageReader, 'find'>): Promise<KeptRequest[]> {
    const found = await messages.find(uuid);
    if (found === null) throw problemError('message_not_found');
    return this.#store.ofMessage(found.message.reply_to ?? uuid);
  }

  prune(limit: number): Promise<number> {
    return this.#store.prune(limit);
  }
}
