import type { MessageChain, ModelCall, PipelineMessage } from '@parley/sdk';
import type { RunningBot } from '../../bots/running-bot.ts';
import type { Message } from '../../messages/message.ts';
import type { ActivePlugin } from '../active-plugin.ts';
import type { EffectKey, EffectSource, PluginEffects, PluginValues, StoredReply } from '../effects/plugin-effects.ts';
import type { HostAnswer, HostCalls } from '../plugin-caller.ts';
import type { HostMethod, HostMethods } from '../plugin-protocol.ts';

/** The message that a call of a plugin is for. */
export interface PluginMessageScope {
  question: Message;
  /** As it is now, perhaps changed by stages. */
  message: PipelineMessage;
  bot: RunningBot;
  /** uuids of the knowledge bases of its pipeline. */
  knowledgeBases: readonly string[];
  source: EffectSource;
  /** Aborted when the answer is no longer wanted. */
  signal: AbortSignal;
  /** Sends a stored reply; what waits is sent before the answer. */
  deliver(reply: StoredReply): void;
  /** Records a call of a model with the message. */
  addCall(call: ModelCall): void;
}

/** Gives a plugin what the server does for it. */
export interface PluginHostApi {
  /** @param scope null for a call that is for no message */
  during(plugin: ActivePlugin, scope: PluginMessageScope | null): HostCalls;
}

/** A request of a plugin that is being answered. */
export interface HostRequest {
  plugin: ActivePlugin;
  scope: PluginMessageScope | null;
  signal: AbortSignal;
  /**
   * The key of an effect of the call, counted in the order of the requests; null for a call without a message, which is
   * not repeated.
   */
  nextKey(kind: 'reply' | 'send' | 'add'): EffectKey | null;
}

/** Answers one kind of requests; the permission and the shape of the parameters have been checked. */
export type HostHandler<Method extends HostMethod> = (
  parameters: HostMethods[Method]['parameters'],
  request: HostRequest,
) => Promise<HostAnswer<Method>>;
export type HostHandlers = { [Method in HostMethod]: HostHandler<Method> };

/** What the handlers of the core use. */
export interface HostServices {
  settings: (pluginId: string) => Promise<Record<string, unknown>>;
  effects: Pick<PluginEffects, 'storeReply' | 'beginSend' | 'endSend' | 'add'>;
  values: PluginValues;
  /** As `MessageSender.send`. */
  send: (botUuid: string, sessionType: 'person' | 'group', targetId: string, chain: MessageChain) => Promise<void>;
  /** Stores inline content of a chain. */
  storeMedia: (chain: MessageChain) => Promise<MessageChain>;
  /** Until when a reply is tried to be sent, ISO 8601 UTC. */
  replyExpiry: () => string;
  /** The rounds of the conversation before a message. */
  history: (message: Message, rounds: number) => Promise<HostMethods['conversation_read']['result']>;
  resetConversation: (conversationUuid: string) => Promise<void>;
}
