import type { PlatformContext } from '@parley/sdk';
import { MediaReader } from '../core/files/media-reader.ts';
import type { Chore } from '../core/housekeeping/housekeeping.ts';
import type { AttachmentTexts } from '../core/knowledge/attachment-texts.ts';
import type { EmbeddingService } from '../core/knowledge/embedding-service.ts';
import type { RetrievalService } from '../core/knowledge/retrieval-service.ts';
import { MessagePlugins } from '../core/messages/message-plugins.ts';
import { ReplyDelivery, type ReplyDeliveryOptions } from '../core/messages/reply-delivery.ts';
import type { ActivePlugins } from '../core/plugins/active-plugin.ts';
import type { PluginCalls } from '../core/plugins/contributions/plugin-calls.ts';
import { contentHandlers } from '../core/plugins/host/content-handlers.ts';
import { type CoreMethods, coreHandlers } from '../core/plugins/host/core-handlers.ts';
import { HostApi } from '../core/plugins/host/host-api.ts';
import type { HostHandlers, HostServices } from '../core/plugins/host/plugin-host-api.ts';
import type { PluginCaller } from '../core/plugins/plugin-caller.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import { secondsFromNow } from '../lib/clock.ts';
import { hostFetch } from '../plugin-host/host/host-fetch.ts';
import { hostModels } from '../plugin-host/host/host-models.ts';
import type { Ledger } from '../storage/messages/open-ledger.ts';
import { KyselyPluginModelCalls } from '../storage/plugins/kysely-plugin-model-calls.ts';
import { KyselyPluginValues } from '../storage/plugins/kysely-plugin-values.ts';
import type { Storage } from '../storage/storage.ts';
import type { createModels } from './models.ts';
import type { Created, SharedParts } from './parts.ts';
import type { createPlugins } from './plugins.ts';

/** Plugins, and what they may ask for beside messages. */
export interface HostedPlugins {
  active: ActivePlugins;
  caller: PluginCaller;
  /** What needs more than messages. */
  handlers: Omit<HostHandlers, CoreMethods>;
}

type HostParts = SharedParts &
  Created<typeof createModels> &
  Pick<Created<typeof createPlugins>, 'activePlugins' | 'storedPackages'> & {
    processes: HostedPlugins['caller'];
    knowledge: { retrieval: RetrievalService; embedding: EmbeddingService; attachmentTexts: AttachmentTexts };
  };

/** What plugins may ask the server for beside messages. */
export function createPluginHost(
  { database }: Storage,
  parts: HostParts,
): HostedPlugins & { chores: Readonly<Record<string, Chore>> } {
  const { activePlugins: active, storedPackages, config, files, logger, modelStore, modelOpener, knowledge } = parts;
  const pluginModelCalls = new KyselyPluginModelCalls(database);
  const media = new MediaReader(files, createGuardedFetch({ policy: 'content' }));
  const handlers = {
    ...hostFetch({ settings: (id) => active.settings(id), fetchFor: parts.fetchFor }),
    ...contentHandlers({
      retrieve: (bases, question, options) => knowledge.retrieval.ask(bases, question, options),
      readMedia: (element, signal) => media.read(element, signal),
    }),
    ...hostModels({
      openModel: (uuid) => modelOpener.open(uuid),
      describe: async (uuid) => {
        const llm = await modelStore.model('llm', uuid);
        if (llm !== null) return { uuid, name: llm.name, kind: 'llm' };
        const embedding = await modelStore.model('text-embedding', uuid);
        return embedding && { uuid, name: embedding.name, kind: 'embedding' };
      },
      embed: (model, texts, options) =>
        knowledge.embedding.embed(model, texts, { ...options, knowledge_base_uuid: null }),
      record: (id, call) => {
        const recorded = parts.pricesForRun('').then((costOf) => pluginModelCalls.record(id, call, costOf(call)));
        recorded.catch((error: unknown) =>
          logger.error({ plugin: id, error }, 'a call of a model could not be recorded'),
        );
      },
      silenceTimeoutMs: config.modelTimeoutSeconds * 1000,
    }),
  };
  const { messageRetentionDays: days } = config;
  const chores = {
    'packages of plugins': (limit: number) => storedPackages.removeUnneeded(limit),
    'calls of models by plugins': () =>
      days === 0 ? Promise.resolve(0) : pluginModelCalls.removeBefore(secondsFromNow(-days * 86_400)),
  };
  return { active, caller: parts.processes, handlers, chores };
}

interface MessagePluginParts {
  hosted: HostedPlugins;
  ledger: Ledger;
  delivering: Omit<ReplyDeliveryOptions, 'effects'>;
  storeMedia: PlatformContext['storeMedia'];
  /** As `MessageSender.send`. */
  send: HostServices['send'];
  /** How long a reply is tried to be sent, milliseconds. */
  expiryMs: number;
}

/** What calls plugins for messages. */
export function createMessagePlugins(
  { database, engine }: Storage,
  { hosted, ledger, delivering, storeMedia, send, expiryMs }: MessagePluginParts,
) {
  const { active, caller, handlers } = hosted;
  const { effects, history, conversations } = ledger;
  const { logger } = delivering;
  const host = new HostApi({
    ...handlers,
    ...coreHandlers({
      settings: (id) => active.settings(id),
      effects,
      values: new KyselyPluginValues(database, engine),
      send,
    }),
  });
  const replies = new ReplyDelivery({ ...delivering, effects });
  const messagePlugins = new MessagePlugins({
    plugins: active,
    caller,
    effects,
    host,
    replies,
    storeMedia,
    history,
    conversations,
    expiryMs,
    logger,
  });
  const pluginCalls: PluginCalls = {
    plugins: active,
    caller,
    host,
    scopeOf: (...message) => messagePlugins.scopeOf(...message),
  };
  return { replies, messagePlugins, pluginCalls };
}
