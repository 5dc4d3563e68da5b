import type { CommandConversation, ConversationModel, ConversationStatus, PipelineMessage } from '@parley/sdk';
import type { CommandAnswer, CommandService } from '../commands/command-service.ts';
import type { ParsedCommand } from '../commands/parse-command.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import { answeringModels, withFirstModel } from '../pipelines/named-models.ts';
import type { PipelineConfig } from '../pipelines/pipeline-config.ts';
import type { Message } from './message.ts';
import type { MessageHistory } from './message-history.ts';
import type { RunningAnswers } from './running-answers.ts';

export interface CommandRunOptions {
  history: Pick<MessageHistory, 'before' | 'cancelledBy' | 'status'>;
  conversations: Pick<ConversationStore, 'chooseModel' | 'end'>;
  commands: CommandService;
  running: RunningAnswers;
  /** The name of a pipeline; null when it was deleted. */
  pipelineName: (uuid: string) => Promise<string | null>;
  /** The name of a model at its provider; null when it was deleted. */
  modelName: (uuid: string) => Promise<string | null>;
}

/** Runs commands on their conversations. */
export class CommandRun {
  readonly #options: CommandRunOptions;

  constructor(options: CommandRunOptions) {
    this.#options = options;
  }

  parse(message: PipelineMessage, botAccountId: string | null): ParsedCommand | null {
    return this.#options.commands.parse(message.message_chain, botAccountId);
  }

  async run(
    command: ParsedCommand,
    message: PipelineMessage,
    { config, question }: { config: PipelineConfig; question: Message },
  ): Promise<CommandAnswer> {
    const name = (await this.#options.pipelineName(message.pipeline_uuid)) ?? '';
    const conversation = new StoredConversation(this.#options, question, config);
    return this.#options.commands.run(command, { message, pipeline: { name }, conversation });
  }
}

/** The conversation of a message in the ledger, as commands see it. */
class StoredConversation implements CommandConversation {
  readonly #options: CommandRunOptions;
  readonly #question: Message;
  readonly #config: PipelineConfig;

  constructor(options: CommandRunOptions, question: Message, config: PipelineConfig) {
    this.#options = options;
    this.#question = question;
    this.#config = config;
  }

  async reset(): Promise<void> {
    // Not the current one of its key: it may have been ended when the command was stored, and another one may be
    // active.
    await this.#options.conversations.end(this.#question.conversation_uuid);
  }

  async history(rounds: number): Promise<{ role: 'user' | 'assistant'; text: string }[]> {
    const { conversation_uuid, sequence } = this.#question;
    const turns = await this.#options.history.before(conversation_uuid, sequence, rounds);
    return turns.map(({ direction, text }) => ({ role: direction === 'inbound' ? 'user' : 'assistant', text }));
  }

  cancelled(): Promise<number> {
    return this.#options.history.cancelledBy(this.#question);
  }

  async status(): Promise<ConversationStatus> {
    const { rounds, since, waiting } = await this.#options.history.status(this.#question);
    return { under_way: this.#options.running.beside(this.#question), waiting, rounds, since };
  }

  async models(): Promise<ConversationModel[]> {
    const uuids = answeringModels(this.#config);
    const [first] = answeringModels(withFirstModel(this.#config, this.#question.model_uuid));
    const models = await Promise.all(
      uuids.map(async (uuid) => ({ uuid, name: await this.#options.modelName(uuid), current: uuid === first })),
    );
    return models.filter((model): model is ConversationModel => model.name !== null);
  }

  chooseModel(uuid: string | null): Promise<void> {
    return this.#options.conversations.chooseModel(this.#question.conversation_uuid, uuid);
  }
}
