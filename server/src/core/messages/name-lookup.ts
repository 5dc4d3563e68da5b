import type { Logger, MessageNames } from '@parley/sdk';
import { LRUCache } from 'lru-cache';
import { untilAborted } from '../../lib/waiting.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import { targetOf } from './delivery-target.ts';
import type { Message } from './message.ts';

export interface NameStore {
  /** Stores names of a message, and the others stay. */
  setNames(messageUuid: string, names: MessageNames): Promise<void>;
}

export interface NameLookupOptions {
  names: NameStore;
  logger: Logger;
  /** How long a platform is waited for, milliseconds. Default: three seconds. */
  timeoutMs?: number;
}

/** Names that are remembered, for all bots together. */
const maximumNames = 5000;
/** How long they are remembered, and how long a failed lookup is not repeated, milliseconds. */
const [rememberedMs, pauseMs] = [60 * 60 * 1000, 60 * 1000];
/** Longest name, UTF-16 units; as in a bot's record. */
const longestName = 255;

/** Looks up names that messages lack, after they were stored. */
export class NameLookup {
  readonly #options: NameLookupOptions;
  readonly #known = new LRUCache<string, Promise<MessageNames>>({ max: maximumNames, ttl: rememberedMs });

  constructor(options: NameLookupOptions) {
    this.#options = options;
  }

  /**
   * @returns a message with the names that its platform tells, which are stored; without those that it does not
   * @throws the signal's reason
   */
  async complete<Owner extends Message>(message: Owner, bot: RunningBot, signal: AbortSignal): Promise<Owner> {
    const { sender_name, facts, session_type } = message;
    const needsSender = sender_name === '';
    const needsGroup = session_type === 'group' && !facts.group_name;
    if (bot.adapter.namesOf === undefined || !(needsSender || needsGroup)) return message;
    const { sender_name: sender, group_name: group } = await untilAborted(this.#namesOf(message, bot), signal);
    const names = {
      ...(needsSender && sender ? { sender_name: sender } : {}),
      ...(needsGroup && group ? { group_name: group } : {}),
    };
    if (Object.keys(names).length === 0) return message;
    await this.#options.names.setNames(message.uuid, names);
    const { group_name } = names;
    return {
      ...message,
      sender_name: names.sender_name ?? sender_name,
      facts: group_name === undefined ? facts : { ...facts, group_name },
    };
  }

  /** Never rejects. Messages of one sender that arrive together share a lookup. */
  #namesOf(message: Message, bot: RunningBot): Promise<MessageNames> {
    const { session_type, session_id, sender_id } = message;
    const key = JSON.stringify([bot.uuid, session_type, session_id, sender_id]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const names = this.#ask(message, bot).catch((error: unknown) => {
      this.#options.logger.warn({ bot: bot.uuid, message: message.uuid, error }, 'names were not looked up');
      this.#known.set(key, Promise.resolve({}), { ttl: pauseMs });
      return {};
    });
    this.#known.set(key, names);
    return names;
  }

  async #ask(message: Message, { adapter }: RunningBot): Promise<MessageNames> {
    const signal = AbortSignal.timeout(this.#options.timeoutMs ?? 3000);
    const names = adapter.namesOf?.(targetOf(message), message.sender_id, signal);
    const { sender_name, group_name } = (await untilAborted(Promise.resolve(names), signal)) ?? {};
    return { sender_name: asName(sender_name), group_name: asName(group_name) };
  }
}

/** @returns an empty text for anything that is no name */
function asName(name: unknown): string {
  return typeof name === 'string' ? name.trim().slice(0, longestName).toWellFormed() : '';
}
