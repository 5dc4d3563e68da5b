import type { MessageChain, PipelineConfig, PipelineMessage } from '@parley/sdk';
import type { ConversationControl } from './conversation-control.ts';

/** 1: everybody. 2: those whom the setting `admins` names. */
export type Privilege = 1 | 2;

/** A command that was given, with everything it may work with. */
export interface CommandInvocation {
  /** What was written behind the name. */
  parameters: readonly string[];
  message: PipelineMessage;
  pipeline: { name: string; config: PipelineConfig };
  conversation: ConversationControl;
  /** That of the sender. */
  privilege: Privilege;
  /** Whether the sender may decide what concerns everybody in the chat. */
  decidesForAll: boolean;
  /** What the command began with, for telling how others are written. */
  prefix: string;
  /** The commands that the sender may give. */
  commands: readonly Command[];
}

/** Something that people have the bot do by a word of its own instead of asking a model. One file each. */
export interface Command {
  /** In lower case. */
  name: string;
  aliases: readonly string[];
  /** The parameters as `help` shows them: `[rounds]`. */
  usage: string;
  /** What it does, as `help` says it: one short sentence. */
  description: string;
  /** What it takes unless the settings say otherwise. */
  privilege: Privilege;
  /** Has effect as soon as it was stored, on what is under way and what waits: that ends with this reason. */
  interrupts?: 'cancelled' | 'reset';
  /**
   * @returns what is said to the sender
   * @throws ParleyError `command_denied` with what is said to a sender who may not do that
   */
  run(invocation: CommandInvocation): Promise<MessageChain | string> | MessageChain | string;
}
