import { type Logger, type MessageEvent, type MessageReceipt, ParleyError, textOfChain } from '@parley/sdk';
import type { Bot } from '../bots/bot.ts';
import type { BotStore } from '../bots/bot-store.ts';
import { routedPipeline } from '../bots/pipeline-routing.ts';
import type { CommandService } from '../commands/command-service.ts';
import type { ParsedCommand } from '../commands/parse-command.ts';
import type { ChatKey, ConversationStore } from '../conversations/conversation-store.ts';
import type { Message } from './message.ts';
import type { MessageStore, StoredReceipt } from './message-store.ts';
import type { RunningAnswers } from './running-answers.ts';

export interface MessageIntakeOptions {
  /** Called after a new message was stored, so that it is taken up at once. */
  accepted: () => void;
  /** Called after a message was stored that webhooks are told of. */
  told?: (message: Pick<Message, 'uuid' | 'conversation_uuid' | 'webhook_wait_until'>) => void;
  /** The id of a bot on its platform; null while it is unknown. */
  accountId: (botUuid: string) => string | null;
  /** Whether people can give a bot commands. */
  takesCommands: (botUuid: string) => boolean;
  commands: Pick<CommandService, 'parse' | 'interruption'>;
  conversations: ConversationStore;
  running: RunningAnswers;
  logger: Logger;
}

/** Takes messages from platforms: each is on disk, once, before the platform is told that it arrived. */
export class MessageIntake {
  readonly #messages: Pick<MessageStore, 'accept' | 'stopWaiting'>;
  readonly #bots: Pick<BotStore, 'byUuid'>;
  readonly #options: MessageIntakeOptions;
  #closed = false;

  constructor(
    messages: Pick<MessageStore, 'accept' | 'stopWaiting'>,
    bots: Pick<BotStore, 'byUuid'>,
    options: MessageIntakeOptions,
  ) {
    this.#messages = messages;
    this.#bots = bots;
    this.#options = options;
  }

  /** @throws ParleyError `not_ready` while stopping, `not_found` or `bot_disabled`; nothing is stored then */
  async receive(botUuid: string, event: MessageEvent): Promise<MessageReceipt> {
    if (this.#closed) throw new ParleyError('not_ready', 'The server is stopping');
    const bot = await this.#bots.byUuid(botUuid);
    if (bot === null) throw new ParleyError('not_found', 'Bot not found');
    if (!bot.enable) throw new ParleyError('bot_disabled', 'Bot is disabled');
    const accountId = this.#options.accountId(botUuid);
    const command = this.#options.takesCommands(botUuid)
      ? this.#options.commands.parse(event.message_chain, accountId)
      : null;
    const { session_type, session_id, thread_id = '' } = event;
    const chat = { bot_uuid: botUuid, session_type, session_id, thread_id };
    const pipeline_uuid = event.pipeline_uuid ?? (await this.#pipeline(bot, chat, event, { accountId, command })) ?? '';
    const receipt = await this.#messages.accept({ ...chat, pipeline_uuid }, event);
    const { uuid, conversation_uuid, webhook_wait_until } = receipt;
    if (webhook_wait_until !== undefined) this.#options.told?.({ uuid, conversation_uuid, webhook_wait_until });
    if (receipt.outcome === 'accepted') {
      if (command !== null) await this.#interrupt(command, event, receipt);
      this.#options.accepted();
    }
    return receipt;
  }

  /** Refuses messages from now on. */
  close(): void {
    this.#closed = true;
  }

  async #pipeline(
    { pipeline_routing_rules: rules, use_pipeline_uuid: bound }: Bot,
    chat: ChatKey,
    { sender_id, message_chain }: MessageEvent,
    { accountId, command }: { accountId: string | null; command: ParsedCommand | null },
  ): Promise<string | null> {
    if (rules.length === 0) return bound;
    if (command !== null) {
      // It is about the conversation that goes on, which its own words might not lead to.
      const latest = await this.#options.conversations.latestPipeline(chat);
      if (latest !== null && (latest === bound || rules.some((rule) => rule.pipeline_uuid === latest))) return latest;
    }
    const mentionsBot = message_chain.some((element) => element.type === 'At' && String(element.target) === accountId);
    const message = { ...chat, sender_id, text: textOfChain(message_chain), mentionsBot };
    return routedPipeline(rules, message, Date.now()) ?? bound;
  }

  /** Ends what a command is to end. Its message is stored, so nothing that goes wrong here may say otherwise. */
  async #interrupt(command: ParsedCommand, event: MessageEvent, receipt: StoredReceipt): Promise<void> {
    const { commands, running, conversations, logger } = this.#options;
    const { uuid, conversation_uuid: conversation, sequence } = receipt;
    const interruption = commands.interruption(command, { ...event, facts: event.facts ?? {} });
    if (interruption === null) return;
    const { reason, reach } = interruption;
    if (reach === 'own') {
      const answer = running.running(conversation);
      const isTheirs = answer !== null && answer.sender_id === event.sender_id && answer.sequence < sequence;
      if (isTheirs) running.cancel(conversation, reason);
      return;
    }
    running.cancelBefore(conversation, sequence, reason);
    try {
      await this.#messages.stopWaiting(conversation, sequence, reason);
      // What comes now begins anew; the command itself may wait for the end of what it interrupted.
      if (reason === 'reset') await conversations.end(conversation);
    } catch (error) {
      logger.error({ message: uuid, error }, 'a command did not take effect before its turn');
    }
  }
}
