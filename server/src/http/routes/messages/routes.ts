import { problemError } from '@parley/sdk';
import { callerOf } from '../../access.ts';
import { messageCursor } from '../../cursor.ts';
import { answers, Nothing, success } from '../../envelope.ts';
import { queryTimestamp } from '../../query-timestamp.ts';
import { whileConnected } from '../../while-connected.ts';
import { ImageAnswer } from '../files/schema.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  DeliveryParams,
  ImageParams,
  KeptRequests,
  MessageAnswer,
  MessageExplanation,
  MessagePage,
  MessageParams,
  MessageQuery,
  RetriedDelivery,
} from './schema.ts';

const reads = { credential: 'either', scope: 'read', role: 'member' } as const;
const sends = { credential: 'either', scope: 'send', role: 'member' } as const;

export async function messageRoutes(
  server: TypedServer,
  {
    messageReader,
    messageImages,
    messageExplainer,
    modelRequests,
    deliveryRetry,
  }: Pick<RouteServices, 'messageReader' | 'messageImages' | 'messageExplainer' | 'modelRequests' | 'deliveryRetry'>,
) {
  server.get(
    '/api/v1/messages',
    {
      config: { access: reads },
      schema: {
        summary: 'Inbound and outbound messages, newest first',
        description:
          'Filters are combined with AND. A selective search may return short or empty pages before the last.',
        querystring: MessageQuery,
        response: answers(MessagePage, 400, 401, 403),
      },
    },
    async ({ query: { limit, cursor, from, to, ...exact } }) => {
      const filter = {
        ...exact,
        bot_uuid: exact.bot_uuid?.toLowerCase(),
        pipeline_uuid: exact.pipeline_uuid?.toLowerCase(),
        conversation_uuid: exact.conversation_uuid?.toLowerCase(),
        from: queryTimestamp('from', from),
        to: queryTimestamp('to', to),
      };
      const { messages, next } = await messageReader.page(
        filter,
        limit,
        cursor === undefined ? null : messageCursor.decode(cursor),
      );
      return success({ messages, next_cursor: next === null ? null : messageCursor.encode(next) });
    },
  );

  server.get(
    '/api/v1/messages/:message_uuid',
    {
      config: { access: reads },
      schema: {
        summary: 'A message, with its answer or the message it answers',
        params: MessageParams,
        response: answers(MessageAnswer, 401, 403, 404),
      },
    },
    async ({ params }) => {
      const found = await messageReader.find(params.message_uuid.toLowerCase());
      if (found === null) throw problemError('message_not_found');
      return success(found);
    },
  );

  server.get(
    '/api/v1/messages/:message_uuid/explain',
    {
      config: { access: reads },
      schema: {
        summary: 'The trace of a message: steps, durations and reasons',
        params: MessageParams,
        response: answers(MessageExplanation, 401, 403, 404),
      },
    },
    async ({ params }) => success(await messageExplainer.explain(params.message_uuid.toLowerCase())),
  );

  server.get(
    '/api/v1/messages/:message_uuid/model-requests',
    {
      config: { access: { ...reads, role: 'admin' } },
      schema: {
        summary: 'The requests to models for a message as they were sent, without secrets',
        description:
          'Kept for draft chats, and for messages of pipelines with `output.misc.keep-model-requests`; not for runners of external services.',
        params: MessageParams,
        response: answers(KeptRequests, 401, 403, 404),
      },
    },
    async ({ params }) =>
      success({ requests: await modelRequests.ofMessage(params.message_uuid.toLowerCase(), messageReader) }),
  );

  server.get(
    '/api/v1/messages/:message_uuid/images/:element',
    {
      config: { access: reads },
      schema: {
        summary: 'An image of a message, fetched by the server if it is external',
        description: 'External images are fetched from public addresses only, at most 10 MB, and cached for a day.',
        params: ImageParams,
        response: { ...answers(Nothing, 401, 403, 404, 413, 422, 429, 502), 200: ImageAnswer },
      },
    },
    async (request, reply) => {
      const { message_uuid, element } = request.params;
      const image = await messageImages.load(message_uuid.toLowerCase(), element, whileConnected(reply));
      return reply
        .type(image.media_type)
        .header('content-disposition', 'inline')
        .header('cache-control', 'private, max-age=86400')
        .send(Buffer.from(image.bytes) as never);
    },
  );

  server.post(
    '/api/v1/messages/:message_uuid/deliveries/:part/retry',
    {
      config: { access: sends, audit: 'message.retry' },
      schema: {
        summary: 'Retry a failed or uncertain part of a message, then the parts that follow',
        description:
          'The message is an inbound one, for its answer, or an outbound one. An uncertain part may appear twice.',
        params: DeliveryParams,
        response: answers(RetriedDelivery, 401, 403, 404, 409, 422, 502, 503),
      },
    },
    async (request) => {
      const { message_uuid, part } = request.params;
      request.auditNote = { record_id: `${message_uuid.toLowerCase()}/${part}` };
      return success(await deliveryRetry.retry(message_uuid.toLowerCase(), part, callerOf(request)));
    },
  );
}
