import type { BotFilter } from '../../../core/bots/bot.ts';
import type { RecordListing } from '../../../core/records/record-listing.ts';
import { Uuid } from '../../../lib/schema-parts.ts';
import { authorOf, callerOf } from '../../access.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { bulkRoute, changed, exportRoute, listingOf } from '../../record-lists.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  BotAnswer,
  BotEventWindow,
  BotList,
  BotLogsBody,
  BotParams,
  BotQuery,
  botFilters,
  botOrders,
  CreateBot,
  CreatedBot,
  SendMessageBody,
  Sent,
  UpdateBot,
} from './schema.ts';

/** Limit of bodies with images and files as base64, bytes. */
const chainBodyLimit = 10 * 1024 * 1024;

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const writes = { credential: 'either', scope: 'write', role: 'admin' } as const;
const readOnly = ['uuid', 'use_pipeline_name', 'adapter_runtime_values', 'created_at', 'updated_at'];

export async function botRoutes(
  server: TypedServer,
  { bots, messages, isServing }: Pick<RouteServices, 'bots' | 'messages' | 'isServing'>,
) {
  const fromMemory = () => bots.shownState();
  const many = { url: '/api/v1/platform/bots', name: 'bots', filters: botFilters };

  server.get(
    '/api/v1/platform/bots',
    {
      config: { access: reads, fromMemory },
      schema: {
        summary: 'List bots; their secrets are masked',
        querystring: BotQuery,
        response: answers(BotList, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const listing = listingOf(query, botFilters);
      if (listing === null) return success({ bots: await bots.list() });
      const { records, total } = await bots.page(listing);
      return success({ bots: records, total });
    },
  );

  exportRoute(server, {
    ...many,
    access: reads,
    file: 'bots',
    orders: botOrders,
    page: (listing: RecordListing & BotFilter) => bots.page(listing),
    columns: {
      uuid: ({ uuid }) => uuid,
      name: ({ name }) => name,
      description: ({ description }) => description,
      adapter: ({ adapter }) => adapter,
      enable: ({ enable }) => enable,
      state: ({ adapter_runtime_values: { state } }) => state,
      error: ({ adapter_runtime_values: { error } }) => error,
      bot_account_id: ({ adapter_runtime_values: { bot_account_id } }) => bot_account_id,
      use_pipeline_uuid: ({ use_pipeline_uuid }) => use_pipeline_uuid,
      use_pipeline_name: ({ use_pipeline_name }) => use_pipeline_name,
      created_at: ({ created_at }) => created_at,
      updated_at: ({ updated_at }) => updated_at,
    },
  });

  bulkRoute(server, {
    ...many,
    access: writes,
    id: Uuid,
    isServing,
    targets: (filter: RecordListing & BotFilter) => bots.names(filter),
    actions: {
      enable: { audit: 'bot.update', change: (uuid, request) => bots.setEnabled(uuid, true, authorOf(request)) },
      disable: { audit: 'bot.update', change: (uuid, request) => bots.setEnabled(uuid, false, authorOf(request)) },
      delete: { audit: 'bot.delete', change: (uuid) => changed(bots.delete(uuid)) },
    },
  });

  server.post(
    '/api/v1/platform/bots',
    {
      config: { access: writes, readOnly, audit: 'bot.create' },
      schema: {
        summary: 'Create a bot; without a pipeline, it uses the default one',
        body: CreateBot,
        response: answers(CreatedBot, 400, 401, 403, 409, 502, 503),
      },
    },
    async (request) => success({ uuid: await bots.create(request.body, authorOf(request)) }),
  );

  server.get(
    '/api/v1/platform/bots/:bot_uuid',
    {
      config: { access: reads, fromMemory },
      schema: {
        summary: 'Get a bot and its connection status; its secrets are masked',
        params: BotParams,
        response: taggedAnswers(BotAnswer, 401, 403, 404),
      },
    },
    async (request, reply) => success({ bot: withTag(reply, await bots.tagged(request.params.bot_uuid)) }),
  );

  server.put(
    '/api/v1/platform/bots/:bot_uuid',
    {
      config: { access: writes, readOnly, audit: 'bot.update', conditional: true },
      schema: {
        summary: 'Change a bot; omitted fields are unchanged',
        params: BotParams,
        body: UpdateBot,
        response: answers(Nothing, 400, 401, 403, 404, 502, 503),
      },
    },
    async (request) =>
      done(bots.update(request.params.bot_uuid, request.body, authorOf(request), request.expectedTags)),
  );

  server.delete(
    '/api/v1/platform/bots/:bot_uuid',
    {
      config: { access: writes, audit: 'bot.delete' },
      schema: {
        summary: 'Delete a bot and its event log; messages and conversations stay',
        params: BotParams,
        response: answers(Nothing, 401, 403, 404),
      },
    },
    async (request) => done(bots.delete(request.params.bot_uuid)),
  );

  server.post(
    '/api/v1/platform/bots/:bot_uuid/logs',
    {
      config: { access: reads, audit: false },
      schema: {
        summary: 'Read the event log of a bot: its latest 1000 entries',
        params: BotParams,
        body: BotLogsBody,
        response: answers(BotEventWindow, 400, 401, 403, 404),
      },
      // The body is optional.
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
    async (request) => {
      const { from_index = -1, max_count = 10 } = request.body;
      return success(await bots.logs(request.params.bot_uuid, from_index, max_count));
    },
  );

  server.post(
    '/api/v1/platform/bots/:bot_uuid/send_message',
    {
      config: { access: { credential: 'either', scope: 'send', role: 'member' }, audit: false },
      bodyLimit: chainBodyLimit,
      schema: {
        summary: 'Send a message through a bot',
        description:
          'The body may have 10 MiB. Base64 content is stored as a file, which the stored message refers to.',
        params: BotParams,
        body: SendMessageBody,
        response: answers(Sent, 400, 401, 403, 404, 409, 413, 422, 429, 502, 503, 504),
      },
    },
    async (request) => {
      const { target_type, target_id, message_chain } = request.body;
      await messages.send(request.params.bot_uuid, target_type, String(target_id), message_chain, callerOf(request));
      return success({ sent: true });
    },
  );

  await server.register(async (scope: TypedServer) => copyRoute(scope, bots));
}

/** Any body is ignored. */
async function copyRoute(server: TypedServer, bots: RouteServices['bots']) {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));

  server.post(
    '/api/v1/platform/bots/:bot_uuid/copy',
    {
      config: { access: writes, audit: 'bot.copy' },
      schema: {
        summary: 'Copy a bot, including secrets; the copy is disabled',
        params: BotParams,
        response: answers(CreatedBot, 401, 403, 404, 409),
      },
    },
    async (request) => success({ uuid: await bots.copy(request.params.bot_uuid) }),
  );
}
