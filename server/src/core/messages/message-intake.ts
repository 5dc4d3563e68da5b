import {
  type Logger,
  type MessageEvent,
  type MessageReceipt,
  ParleyError,
  problemError,
  type StateValues,
  textOfChain,
} from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import { findStorageError, isStorageUnavailable } from '../../lib/storage-error.ts';
import type { AdapterStates } from '../bots/adapter-states.ts';
import type { Bot } from '../bots/bot.ts';
import type { BotStore } from '../bots/bot-store.ts';
import { routedPipeline } from '../bots/pipeline-routing.ts';
import type { CommandService } from '../commands/command-service.ts';
import type { ParsedCommand } from '../commands/parse-command.ts';
import type { ChatKey, ConversationStore } from '../conversations/conversation-store.ts';
import type { Cancellations } from './cancellations.ts';
import type { MediaFetch } from './media-fetch.ts';
import type { Message } from './message.ts';
import type { MessageEvents } from './message-events.ts';
import type { Arrival, MessageLedger, StoredReceipt } from './message-ledger.ts';
import type { ReplyContexts } from './reply-contexts.ts';
import { stopAnswers } from './stop-answers.ts';

type ArrivalLedger = Pick<MessageLedger, 'accept' | 'acceptAll' | 'stopWaiting'>;

export interface MessageIntakeOptions {
  /** Called when a message is about to be stored, so that it may be claimed in the same transaction. */
  arriving?: () => void;
  /** Called after a new message was stored, so that it is dispatched immediately. */
  accepted: () => void;
  /** Called after a message was stored that webhooks receive. */
  notifyWebhooks?: (message: Pick<Message, 'uuid' | 'conversation_uuid' | 'webhook_wait_until'>) => void;
  /** The id of a bot on its platform; null while it is unknown. */
  accountId: (botUuid: string) => string | null;
  /** Whether chat commands are enabled. */
  takesCommands: (botUuid: string) => boolean;
  /** Whether callers or sockets of this replica wait for the answers to a bot's messages. Default false */
  isAwaited?: (bot: Bot) => boolean;
  commands: Pick<CommandService, 'parse' | 'interruption'>;
  conversations: ConversationStore;
  cancellations: Cancellations;
  events: MessageEvents;
  replyContexts: Pick<ReplyContexts, 'sealed'>;
  mediaFetch: Pick<MediaFetch, 'sealed'>;
  states: Pick<AdapterStates, 'sealed'>;
  logger: Logger;
}

/** A message that the store refuses this often because of its content is dropped. */
const maximumRefusals = 3;
const rememberedRefusals = 1000;

/** A message to store, with its command. */
interface Prepared extends Arrival {
  command: ParsedCommand | null;
}

/** Receives messages from platforms: each is on disk, once, before the platform gets its acknowledgement. */
export class MessageIntake {
  readonly #messages: ArrivalLedger;
  readonly #bots: Pick<BotStore, 'byUuid'>;
  readonly #options: MessageIntakeOptions;
  /** Refusals of the store because of the content, by bot and platform message id. */
  readonly #refusals = new Map<string, number>();
  #closed = false;

  constructor(messages: ArrivalLedger, bots: Pick<BotStore, 'byUuid'>, options: MessageIntakeOptions) {
    this.#messages = messages;
    this.#bots = bots;
    this.#options = options;
  }

  /**
   * @throws ParleyError `not_ready` while stopping, `not_found`, `bot_disabled`, or `invalid_request` when the database
   * refused the message several times; nothing is stored then
   */
  async receive(botUuid: string, event: MessageEvent, state: StateValues | null = null): Promise<MessageReceipt> {
    const prepared = await this.#prepare(await this.#bot(botUuid), event, state);
    const receipt = await this.#accept(prepared);
    await this.#follow(prepared, receipt);
    if (receipt.outcome === 'accepted') this.#options.accepted();
    return receipt;
  }

  /**
   * Stores messages of one bot in one transaction, those of a chat in their order. A command takes effect before what
   * follows it in its chat is stored, so a chat with commands takes several transactions, which other chats do not wait
   * for. When a transaction fails, each of its messages is stored alone. Messages behind one that failed are not stored,
   * so that a chat keeps its order.
   * @returns what happened to each, in the order of `events`; never rejects
   */
  async receiveAll(botUuid: string, events: readonly MessageEvent[]): Promise<PromiseSettledResult<MessageReceipt>[]> {
    const results: PromiseSettledResult<MessageReceipt>[] = [];
    const chats = Map.groupBy(events.keys(), (index) => textOfChat(events[index] as MessageEvent));
    let waiting = [...chats.values()].map((indices) => this.#turnsOf(botUuid, events, indices));
    while (waiting.length > 0) {
      const turn = waiting.flatMap(([first = []]) => first).sort((left, right) => left - right);
      const settled = await this.#storeTurn(
        botUuid,
        turn.map((index) => events[index] as MessageEvent),
      );
      for (const [place, index] of turn.entries()) results[index] = settled[place] as (typeof settled)[number];
      waiting = waiting.flatMap(([first = [], ...later]) => {
        const last = first.map((index) => results[index]).at(-1);
        if (last?.status !== 'rejected') return later.length === 0 ? [] : [later];
        for (const index of later.flat()) results[index] = last;
        return [];
      });
    }
    return results;
  }

  /** Refuses messages from now on. */
  close(): void {
    this.#closed = true;
  }

  async #bot(uuid: string): Promise<Bot> {
    if (this.#closed) throw new ParleyError('not_ready', 'The server is stopping');
    const bot = await this.#bots.byUuid(uuid);
    if (bot === null) throw problemError('bot_not_found');
    if (!bot.enable) throw new ParleyError('bot_disabled', 'Bot is disabled');
    return bot;
  }

  /** The messages of a chat (by their indices) in transactions: a command is alone in its own. */
  #turnsOf(botUuid: string, events: readonly MessageEvent[], indices: readonly number[]): number[][] {
    const turns: number[][] = [];
    let isOpen = false;
    for (const index of indices) {
      const isCommand = this.#commandIn(botUuid, events[index] as MessageEvent) !== null;
      if (isOpen && !isCommand) turns.at(-1)?.push(index);
      else turns.push([index]);
      isOpen = !isCommand;
    }
    return turns;
  }

  async #storeTurn(botUuid: string, events: readonly MessageEvent[]): Promise<PromiseSettledResult<MessageReceipt>[]> {
    const prepared: Prepared[] = [];
    let receipts: StoredReceipt[];
    try {
      const bot = await this.#bot(botUuid);
      for (const event of events) prepared.push(await this.#prepare(bot, event));
      this.#announce(prepared);
      receipts = await this.#messages.acceptAll(prepared);
    } catch (reason) {
      const isHopeless = reason instanceof ParleyError || isStorageUnavailable(reason);
      return isHopeless ? events.map(() => ({ status: 'rejected', reason })) : this.#storeEach(botUuid, events);
    }
    for (const receipt of receipts) this.#publish(botUuid, receipt);
    for (const [index, receipt] of receipts.entries()) await this.#follow(prepared[index] as Prepared, receipt);
    if (receipts.some(({ outcome }) => outcome === 'accepted')) this.#options.accepted();
    return receipts.map((value) => ({ status: 'fulfilled', value }));
  }

  async #storeEach(botUuid: string, events: readonly MessageEvent[]): Promise<PromiseSettledResult<MessageReceipt>[]> {
    const results: PromiseSettledResult<MessageReceipt>[] = [];
    const failures = new Map<string, PromiseRejectedResult>();
    let unavailable: PromiseRejectedResult | undefined;
    for (const event of events) {
      const chat = textOfChat(event);
      const earlier = unavailable ?? failures.get(chat);
      const result = earlier ?? (await Promise.allSettled([this.receive(botUuid, event)]))[0];
      results.push(result);
      if (result.status === 'fulfilled') continue;
      failures.set(chat, result);
      if (isStorageUnavailable(result.reason)) unavailable = result;
    }
    return results;
  }

  /**
   * A platform redelivers a message that was not stored, and with it the following ones. A message whose content the
   * store refuses must not block its chat forever.
   */
  async #accept({ key, event, ...sealed }: Prepared): Promise<StoredReceipt> {
    const id = JSON.stringify([key.bot_uuid, event.platform_message_id]);
    this.#announce([sealed]);
    try {
      const receipt = await this.#messages.accept(key, event, sealed);
      this.#refusals.delete(id);
      this.#publish(key.bot_uuid, receipt);
      return receipt;
    } catch (error) {
      if (findStorageError(error)?.kind !== 'other') throw error;
      const refusals = (this.#refusals.get(id) ?? 0) + 1;
      if (refusals < maximumRefusals) {
        if (this.#refusals.size >= rememberedRefusals) this.#refusals.clear();
        this.#refusals.set(id, refusals);
        throw error;
      }
      this.#refusals.delete(id);
      const fields = { bot: key.bot_uuid, platform_message: event.platform_message_id, error };
      this.#options.logger.error(fields, 'dropped a message that the database refuses');
      throw new ParleyError('invalid_request', 'The message cannot be stored', { cause: error });
    }
  }

  /** A command takes effect before its turn. */
  #announce(arriving: readonly Pick<Prepared, 'command'>[]): void {
    if (arriving.every(({ command }) => command === null)) this.#options.arriving?.();
  }

  #publish(bot_uuid: string, receipt: StoredReceipt): void {
    if (receipt.outcome === 'accepted') {
      this.#options.events.publish({ ...receipt, bot_uuid, direction: 'inbound' }, 'received');
    }
  }

  #commandIn(botUuid: string, event: MessageEvent): ParsedCommand | null {
    const { takesCommands, commands, accountId } = this.#options;
    return takesCommands(botUuid) ? commands.parse(event.message_chain, accountId(botUuid)) : null;
  }

  async #prepare(bot: Bot, event: MessageEvent, values: StateValues | null = null): Promise<Prepared> {
    const command = this.#commandIn(bot.uuid, event);
    const { session_type, session_id, thread_id = '' } = event;
    const chat = { bot_uuid: bot.uuid, session_type, session_id, thread_id };
    const pipeline_uuid = event.pipeline_uuid ?? (await this.#pipeline(bot, chat, event, command)) ?? '';
    const { replyContexts, mediaFetch, states } = this.#options;
    const replyContext = replyContexts.sealed(bot.uuid, event);
    const media = mediaFetch.sealed(bot.uuid, event);
    const state = values && states.sealed({ bot_uuid: bot.uuid, adapter: bot.adapter }, values);
    const isAwaited = this.#options.isAwaited?.(bot) ?? false;
    return { key: { ...chat, pipeline_uuid }, event, replyContext, media, state, isAwaited, command };
  }

  /** The immediate effect of a stored message. */
  async #follow({ command, event }: Prepared, receipt: StoredReceipt): Promise<void> {
    const { uuid, conversation_uuid, webhook_wait_until } = receipt;
    if (webhook_wait_until !== undefined)
      this.#options.notifyWebhooks?.({ uuid, conversation_uuid, webhook_wait_until });
    if (receipt.outcome === 'accepted' && command !== null) await this.#interrupt(command, event, receipt);
  }

  async #pipeline(
    { pipeline_routing_rules: rules, use_pipeline_uuid: bound }: Bot,
    chat: ChatKey,
    { sender_id, message_chain }: MessageEvent,
    command: ParsedCommand | null,
  ): Promise<string | null> {
    if (rules.length === 0) return bound;
    const accountId = this.#options.accountId(chat.bot_uuid);
    if (command !== null) {
      // It applies to the active conversation, which its own text might not lead to.
      const latest = await this.#options.conversations.latestPipeline(chat);
      if (latest !== null && (latest === bound || rules.some((rule) => rule.pipeline_uuid === latest))) return latest;
    }
    const mentionsBot = message_chain.some((element) => element.type === 'At' && String(element.target) === accountId);
    const message = { ...chat, sender_id, text: textOfChain(message_chain), mentionsBot };
    return routedPipeline(rules, message, present()) ?? bound;
  }

  /** Applies the interruption of a command. Its message is stored, so an error here must not say otherwise. */
  async #interrupt(command: ParsedCommand, event: MessageEvent, receipt: StoredReceipt): Promise<void> {
    const { commands, cancellations, conversations, events, logger } = this.#options;
    const { uuid, conversation_uuid: conversation, sequence } = receipt;
    const interruption = commands.interruption(command, { ...event, facts: event.facts ?? {} });
    if (interruption === null) return;
    const { reason, reach } = interruption;
    try {
      if (reach === 'own') {
        await cancellations.cancelOf(conversation, event.sender_id, { before: sequence, reason });
        return;
      }
      await stopAnswers({ messages: this.#messages, cancellations, events }, conversation, sequence, reason);
      // The next message starts a new conversation; the command itself may wait for the end of the interrupted one.
      if (reason === 'reset') await conversations.end(conversation);
    } catch (error) {
      logger.error({ message: uuid, error }, 'a command did not take effect before its turn');
    }
  }
}

function textOfChat({ session_type, session_id, thread_id = '' }: MessageEvent): string {
  return JSON.stringify([session_type, session_id, thread_id]);
}
