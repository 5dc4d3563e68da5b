import type { ConversationTurn, MessageChain, ModelCall, PipelineMessage } from '@parley/sdk';
import type { ActivePlugin } from '../active-plugin.ts';
import type { EffectKey, EffectSource, HostEffects } from '../effect-key.ts';
import type { HostAnswer, HostCalls } from '../plugin-caller.ts';
import type { HostMethod, HostMethods } from '../plugin-protocol.ts';
import type { PluginValues } from '../plugin-values.ts';

/** The message that a call of a plugin is for. */
export interface PluginMessageScope {
  /** As it is now, perhaps changed by stages. */
  message: PipelineMessage;
  /** From 1. */
  attempt: number;
  /** uuids of the knowledge bases of its pipeline. */
  knowledgeBases: readonly string[];
  source: EffectSource;
  /** Aborted when the answer is no longer wanted. */
  signal: AbortSignal;
  /**
   * Stores a reply, which is sent before the answer.
   * @param chain checked
   * @param ordinal as in {@link EffectKey}
   * @throws ParleyError `unsupported_element`
   */
  reply(chain: MessageChain, ordinal: number): Promise<void>;
  /** The rounds of the conversation before the message. */
  history(rounds: number): Promise<ConversationTurn[]>;
  /** Ends the conversation. */
  resetConversation(): Promise<void>;
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
  effects: HostEffects;
  values: PluginValues;
  /** As `MessageSender.send`. */
  send: (botUuid: string, sessionType: 'person' | 'group', targetId: string, chain: MessageChain) => Promise<void>;
}
