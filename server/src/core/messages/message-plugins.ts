import type {
  Logger,
  MessageChain,
  ModelCall,
  PipelineMessage,
  PlatformContext,
  PluginAnswer,
  PluginEvents,
  PluginPoint,
  PluginStop,
  Reason,
} from '@parley/sdk';
import { ParleyError, textOfChain } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import { findStorageError } from '../../lib/storage-error.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import { storeInlineMedia } from '../files/inline-media.ts';
import { type UsedPlugins, usesPlugin } from '../pipelines/used-plugins.ts';
import type { ActivePlugin, ActivePlugins } from '../plugins/active-plugin.ts';
import type { EffectKey, EffectSource } from '../plugins/effect-key.ts';
import type { PluginHostApi, PluginMessageScope } from '../plugins/host/plugin-host-api.ts';
import { checkVerdict, type PluginVerdict } from '../plugins/listeners/verdicts.ts';
import type { PluginCaller } from '../plugins/plugin-caller.ts';
import type { ClaimedMessage, Message } from './message.ts';
import { type MessageHistory, turnOf } from './message-history.ts';
import type { PipelineTrace } from './pipeline-trace.ts';
import type { PluginEffects } from './plugin-effects.ts';
import type { ReplyDelivery } from './reply-delivery.ts';
import { refuseUnsupported } from './unsupported-elements.ts';

export interface MessagePluginsOptions {
  plugins: Pick<ActivePlugins, 'list'>;
  caller: PluginCaller;
  effects: Pick<PluginEffects, 'storeReply' | 'storeVerdict' | 'verdictsOn'>;
  host: PluginHostApi;
  replies: Pick<ReplyDelivery, 'begin'>;
  storeMedia: PlatformContext['storeMedia'];
  history: Pick<MessageHistory, 'before'>;
  conversations: Pick<ConversationStore, 'end'>;
  /** How long a reply is tried to be sent, milliseconds. */
  expiryMs: number;
  logger: Logger;
}

/** What plugins need to know of the processing of a message. */
export interface PluginRun {
  question: ClaimedMessage;
  bot: RunningBot;
  preferences: UsedPlugins;
  knowledgeBases: readonly string[];
  trace: PipelineTrace;
  addCall(call: ModelCall): void;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  /** Aborted then, and when a user cancels the answer. */
  signal: AbortSignal;
}

/** How the listeners of a point left a message. */
export interface Passed<Point extends PluginPoint> {
  /** With all changes. */
  event: PluginEvents[Point];
  /** The plugin that ended the message; null when it goes on. */
  end: PluginStop | PluginAnswer | null;
}

/** How long listeners of one message may take together, milliseconds. A manifest that asks for more gets it. */
const messageBudget = 10_000;
const defaultSeconds = 3;

/** Gives messages to the listeners of plugins, and knows which messages are being processed. */
export class MessagePlugins {
  readonly #options: MessagePluginsOptions;
  readonly #running = new Map<string, PluginListeners>();

  constructor(options: MessagePluginsOptions) {
    this.#options = options;
  }

  /** Whether there is any plugin. */
  get isUsed(): boolean {
    return this.#options.plugins.list().length > 0;
  }

  /** Begins the processing of a message; ended by {@link end}. */
  begin(run: PluginRun): PluginListeners {
    const { preferences, question } = run;
    const bound = this.#options.plugins.list().filter(({ id }) => usesPlugin(preferences, id));
    const listeners = new PluginListeners(bound, run, this.#options);
    if (bound.length > 0) this.#running.set(question.uuid, listeners);
    return listeners;
  }

  end({ uuid }: Pick<Message, 'uuid'>): void {
    this.#running.delete(uuid);
  }

  /**
   * What a plugin gets for a message that is being processed; null when it is not, or its pipeline does not use the
   * plugin.
   * @param point as in {@link EffectSource}
   */
  scopeOf(messageUuid: string, pluginId: string, point: string): PluginMessageScope | null {
    return this.#running.get(messageUuid)?.scopeOf(pluginId, point) ?? null;
  }
}

/** The listeners for one message. */
export class PluginListeners {
  readonly #bound: readonly ActivePlugin[];
  readonly #run: PluginRun;
  readonly #options: MessagePluginsOptions;
  /** By plugin and point. */
  #verdicts: Promise<ReadonlyMap<string, unknown>> | null = null;
  #message: PipelineMessage | null = null;
  #spent = 0;
  /** How often each tool was called. */
  readonly #toolCalls = new Map<string, number>();

  constructor(bound: readonly ActivePlugin[], run: PluginRun, options: MessagePluginsOptions) {
    this.#bound = bound;
    this.#run = run;
    this.#options = options;
  }

  /** Whether a plugin listens at a point. */
  has(point: PluginPoint): boolean {
    return this.#bound.some((plugin) => listens(plugin, point));
  }

  /**
   * Calls the listeners of a point in order, each on the result of the one before. One that fails lets the message pass
   * or stops it, as the operator chose.
   * @param message as it is now
   * @throws the signal's reason when it is aborted; StorageError
   */
  async pass<Point extends PluginPoint>(
    point: Point,
    event: PluginEvents[Point],
    message: PipelineMessage,
    signal: AbortSignal,
  ): Promise<Passed<Point>> {
    this.#message = message;
    let current = event;
    for (const plugin of this.#bound) {
      if (!listens(plugin, point)) continue;
      const verdict = await this.#verdictOf(plugin, point, current, signal);
      if (verdict === null) continue;
      if (verdict.action !== 'change') return { event: current, end: verdict };
      const { action: _, ...changes } = verdict;
      current = { ...current, ...changes };
    }
    return { event: current, end: null };
  }

  /** Tells the listeners of `sent`, each at most once; nothing waits for them. */
  sent(message: PipelineMessage, chain: MessageChain): void {
    this.#message = message;
    const { stopping } = this.#run;
    for (const plugin of this.#bound) {
      if (!listens(plugin, 'sent') || stopping.aborted) continue;
      this.#call(plugin, 'sent', { message_chain: chain }, stopping, milliseconds(plugin)).catch((error: unknown) => {
        this.#options.logger.warn(
          { plugin: plugin.id, message: message.uuid, error },
          'a plugin was not told of an answer',
        );
      });
    }
  }

  /** As {@link MessagePlugins.scopeOf}. */
  scopeOf(pluginId: string, point: string): PluginMessageScope | null {
    const { question, knowledgeBases, addCall, signal } = this.#run;
    const { history, conversations } = this.#options;
    if (!this.#bound.some(({ id }) => id === pluginId)) return null;
    const source = {
      message_uuid: question.uuid,
      claim: question.claim,
      plugin_id: pluginId,
      point: this.#numbered(pluginId, point),
    };
    return {
      message: this.#message ?? question,
      attempt: question.attempts,
      knowledgeBases,
      source,
      signal,
      reply: (chain, ordinal) => this.#reply(chain, { ...source, ordinal }),
      history: async (rounds) =>
        (await history.before(question.conversation_uuid, question.sequence, rounds)).map(turnOf),
      resetConversation: async () => {
        await conversations.end(question.conversation_uuid);
      },
      addCall,
    };
  }

  /** A reply that an earlier attempt has sent is not sent again. */
  async #reply(chain: MessageChain, key: EffectKey): Promise<void> {
    const { effects, replies, storeMedia, expiryMs } = this.#options;
    const { question, bot, stopping } = this.#run;
    refuseUnsupported(chain, bot.capabilities.elements);
    const stored = await storeInlineMedia(chain, storeMedia);
    const expiresAt = new Date(present() + expiryMs).toISOString();
    const reply = await effects.storeReply(key, question, { chain: stored, text: textOfChain(stored), expiresAt });
    const { state } = reply.delivery;
    if (state === 'pending' || state === 'sending') replies.begin(question, bot, reply, stopping);
  }

  /** A model may call the same tool several times. */
  #numbered(pluginId: string, point: string): string {
    if (!point.startsWith('tool:')) return point;
    const key = keyOf(pluginId, point);
    const number = (this.#toolCalls.get(key) ?? 0) + 1;
    this.#toolCalls.set(key, number);
    return `${point}:${number}`;
  }

  async #verdictOf<Point extends PluginPoint>(
    plugin: ActivePlugin,
    point: Point,
    event: PluginEvents[Point],
    signal: AbortSignal,
  ): Promise<PluginVerdict | null> {
    const { trace } = this.#run;
    const started = performance.now();
    const details = { plugin: plugin.id, point };
    try {
      const earlier = (await this.#earlier()).get(keyOf(plugin.id, point));
      const verdict = (earlier ?? (await this.#ask(plugin, point, event, signal))) as PluginVerdict | null;
      trace.add('plugin', started, {
        ...outcomeOf(verdict),
        details: earlier === undefined ? details : { ...details, is_stored: true },
      });
      return verdict;
    } catch (error) {
      signal.throwIfAborted();
      if (findStorageError(error) !== null) throw error;
      const reason = reasonOf(error);
      this.#options.logger.warn(
        { ...details, message: this.#run.question.uuid, error },
        'a listener of a plugin failed',
      );
      const stops = plugin.on_failure === 'stop';
      const problem = error instanceof ParleyError ? { error: error.message.slice(0, 500) } : {};
      trace.add('plugin', started, {
        outcome: stops ? 'stopped' : 'failed',
        reason,
        details: { ...details, ...problem },
      });
      return stops ? { action: 'stop' } : null;
    }
  }

  async #ask<Point extends PluginPoint>(
    plugin: ActivePlugin,
    point: Point,
    event: PluginEvents[Point],
    signal: AbortSignal,
  ): Promise<PluginVerdict | null> {
    const budget = Math.max(messageBudget, ...this.#bound.map(milliseconds)) - this.#spent;
    if (budget <= 0) throw new ParleyError('plugin_timeout', 'The plugins before it took all the time for the message');
    const started = performance.now();
    try {
      const said = await this.#call(plugin, point, event, signal, Math.min(budget, milliseconds(plugin)));
      const verdict: PluginVerdict | null = checkVerdict(point, said, event);
      if (verdict === null) return null;
      const stored = await this.#withStoredMedia(verdict);
      // Checked when it was stored.
      return (await this.#options.effects.storeVerdict(this.#sourceOf(plugin, point), stored)) as PluginVerdict;
    } finally {
      this.#spent += performance.now() - started;
    }
  }

  /** Content is stored outside of the ledger. */
  async #withStoredMedia(verdict: PluginVerdict): Promise<PluginVerdict> {
    if (!('message_chain' in verdict)) return verdict;
    const { storeMedia } = this.#options;
    return { ...verdict, message_chain: await storeInlineMedia(verdict.message_chain as MessageChain, storeMedia) };
  }

  #call<Point extends PluginPoint>(
    plugin: ActivePlugin,
    point: Point,
    event: PluginEvents[Point],
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<unknown> {
    const { caller, host } = this.#options;
    const { question } = this.#run;
    return caller.call({
      plugin: plugin.id,
      method: 'listener',
      parameters: { message: this.#message ?? question, attempt: question.attempts, point, event } as never,
      timeoutMs,
      signal,
      host: host.during(plugin, this.scopeOf(plugin.id, point)),
    });
  }

  #sourceOf({ id }: ActivePlugin, point: PluginPoint): EffectSource {
    const { uuid: message_uuid, claim } = this.#run.question;
    return { message_uuid, claim, plugin_id: id, point };
  }

  /** The verdicts of earlier attempts; a first attempt has none. */
  #earlier(): Promise<ReadonlyMap<string, unknown>> {
    const { attempts, uuid } = this.#run.question;
    this.#verdicts ??=
      attempts <= 1
        ? Promise.resolve(new Map())
        : this.#options.effects
            .verdictsOn(uuid)
            .then((rows) => new Map(rows.map(({ plugin_id, point, verdict }) => [keyOf(plugin_id, point), verdict])));
    return this.#verdicts;
  }
}

function keyOf(plugin: string, point: string): string {
  return `${plugin} ${point}`;
}

function listens({ manifest }: ActivePlugin, point: PluginPoint): boolean {
  return manifest.contributes.listeners?.some((listener) => listener.point === point) === true;
}

function milliseconds({ manifest }: ActivePlugin): number {
  return (manifest.limits?.listener_seconds ?? defaultSeconds) * 1000;
}

function outcomeOf(verdict: PluginVerdict | null) {
  switch (verdict?.action) {
    case undefined:
      return { outcome: 'passed' } as const;
    case 'change':
      return { outcome: 'changed', reason: 'changed_by_plugin' } as const;
    case 'stop':
      return { outcome: 'stopped', reason: 'stopped_by_plugin' } as const;
    case 'answer':
      return { outcome: 'stopped', reason: 'answered_by_plugin' } as const;
  }
}

function reasonOf(error: unknown): Reason {
  return error instanceof ParleyError ? error.reason : 'plugin_failed';
}
