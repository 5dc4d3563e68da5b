import type { MessageChain } from './message-chain.ts';
import type { PipelineMessage } from './stage.ts';

/** 1: everyone. 2: those in the setting `admins`. */
export type CommandPrivilege = 1 | 2;

/** A command as `help` shows it. */
export interface CommandDescription {
  /** In lower case, one word. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The parameters as `help` shows them: `[rounds]`. */
  readonly usage?: string;
  /** What it does: one short sentence. */
  readonly description: string;
}

/** One of the models that may answer in a conversation. */
export interface ConversationModel {
  uuid: string;
  name: string;
  /** It is called first. */
  current: boolean;
}

/** How a conversation is. */
export interface ConversationStatus {
  /** Other messages of the same chat that are being answered. */
  under_way: number;
  /** Messages of the conversation that wait behind the command. */
  waiting: number;
  /** Questions that were answered. */
  rounds: number;
  /** Start of the conversation, ISO 8601 UTC. */
  since: string;
}

/** What a command may read of its conversation and do to it. */
export interface CommandConversation {
  /** Ends it; the next message starts another. */
  reset(): Promise<void>;
  /** The messages of the last rounds before the command, oldest first. */
  history(rounds: number): Promise<{ role: 'user' | 'assistant'; text: string }[]>;
  /** How many messages were cancelled because of the command. */
  cancelled(): Promise<number>;
  status(): Promise<ConversationStatus>;
  /** The models of the pipeline, in the order in which it names them; none when others answer for it. */
  models(): Promise<ConversationModel[]>;
  /** Calls one of them first from now on, in this conversation; null for the first one of the pipeline. */
  chooseModel(uuid: string | null): Promise<void>;
}

/** A command with its context. */
export interface CommandInvocation {
  /** The arguments after the name. */
  parameters: readonly string[];
  message: PipelineMessage;
  pipeline: { name: string };
  conversation: CommandConversation;
  /** That of the sender. */
  privilege: CommandPrivilege;
  /** Whether the sender may decide for the whole chat. */
  decidesForAll: boolean;
  /** The prefix of the command, to show how others are written. */
  prefix: string;
  /** The commands that the sender may use. */
  commands: readonly CommandDescription[];
}

/** A chat command: users control the bot with it instead of asking a model. */
export interface Command extends CommandDescription {
  /** The required privilege unless the settings say otherwise; 1 when absent. */
  readonly privilege?: CommandPrivilege;
  /** Takes effect as soon as it is stored, on running and waiting messages: they end with this reason. */
  readonly interrupts?: 'cancelled' | 'reset';
  /**
   * @returns the reply to the sender
   * @throws ParleyError `command_denied` with the reply to a sender without permission
   */
  run(invocation: CommandInvocation): Promise<MessageChain | string> | MessageChain | string;
}
