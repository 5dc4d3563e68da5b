import type { MessageChain, PipelineMessage } from '@parley/sdk';
import type { ConversationControl } from './conversation-control.ts';

/** 1: everyone. 2: those in the setting `admins`. */
export type Privilege = 1 | 2;

/** A command with its context. */
export interface CommandInvocation {
  /** The arguments after the name. */
  parameters: readonly string[];
  message: PipelineMessage;
  pipeline: { name: string };
  conversation: ConversationControl;
  /** That of the sender. */
  privilege: Privilege;
  /** Whether the sender may decide for the whole chat. */
  decidesForAll: boolean;
  /** The prefix of the command, to show how others are written. */
  prefix: string;
  /** The commands that the sender may use. */
  commands: readonly Command[];
}

/** A chat command: users control the bot with it instead of asking a model. One file each. */
export interface Command {
  /** In lower case. */
  name: string;
  aliases: readonly string[];
  /** The parameters as `help` shows them: `[rounds]`. */
  usage: string;
  /** What it does, as `help` shows it: one short sentence. */
  description: string;
  /** The required privilege unless the settings say otherwise. */
  privilege: Privilege;
  /** Takes effect as soon as it is stored, on running and waiting messages: they end with this reason. */
  interrupts?: 'cancelled' | 'reset';
  /**
   * @returns the reply to the sender
   * @throws ParleyError `command_denied` with the reply to a sender without permission
   */
  run(invocation: CommandInvocation): Promise<MessageChain | string> | MessageChain | string;
}
