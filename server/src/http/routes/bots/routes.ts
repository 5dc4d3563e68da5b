import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { BotList, BotParams, SendMessageBody, Sent } from './schema.ts';

const tags = ['bots'];

export async function botRoutes(server: TypedServer, { bots, messages }: Pick<RouteServices, 'bots' | 'messages'>) {
  server.get(
    '/api/v1/platform/bots',
    {
      config: { access: { credential: 'either', scope: 'read' } },
      schema: { tags, summary: 'List bots', response: answers(BotList, 401, 403) },
    },
    async () => success({ bots: await bots.list() }),
  );

  server.post(
    '/api/v1/platform/bots/:bot_uuid/send_message',
    {
      config: { access: { credential: 'either', scope: 'send' } },
      schema: {
        tags,
        summary: 'Send a message through a bot',
        params: BotParams,
        body: SendMessageBody,
        response: answers(Sent, 400, 401, 403, 404, 409, 422, 502, 504),
      },
    },
    async (request) => {
      const { target_type, target_id, message_chain } = request.body;
      await messages.send(request.params.bot_uuid, target_type, String(target_id), message_chain);
      return success({ sent: true });
    },
  );
}
