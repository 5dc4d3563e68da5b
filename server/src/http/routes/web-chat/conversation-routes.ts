import { conversationCursor } from '../../cursor.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { personOf } from './routes.ts';
import {
  ConversationBody,
  ConversationParams,
  Conversations,
  ConversationsQuery,
  Notice,
  OneConversation,
} from './schema.ts';

const base = '/api/v1/chat/conversations';

/** The caller's conversations in the chat, with all pipelines. */
export async function conversationRoutes(server: TypedServer, { webChat }: Pick<RouteServices, 'webChat'>) {
  server.get(
    base,
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member' } },
      schema: {
        summary: 'List the conversations of the caller',
        querystring: ConversationsQuery,
        response: answers(Conversations, 400, 401, 403),
      },
    },
    async (request) => {
      const { search = '', limit = 30, cursor } = request.query;
      const after = cursor === undefined ? null : conversationCursor.decode(cursor);
      const { conversations, next } = await webChat.list(personOf(request), { search, limit, after });
      return success({ conversations, next_cursor: next && conversationCursor.encode(next) });
    },
  );

  server.put(
    `${base}/:uuid`,
    {
      // The chat of an account is no record of the installation.
      config: { access: { credential: 'either', scope: 'send', role: 'member' }, audit: false },
      schema: {
        summary: 'Rename a conversation',
        params: ConversationParams,
        body: ConversationBody,
        response: answers(OneConversation, 400, 401, 403, 404, 415),
      },
    },
    async (request) => {
      const title = request.body.title.trim();
      const conversation = await webChat.rename(request.params.uuid.toLowerCase(), title, personOf(request));
      return success({ conversation });
    },
  );

  server.delete(
    `${base}/:uuid`,
    {
      config: { access: { credential: 'either', scope: 'send', role: 'member' }, audit: false },
      schema: {
        summary: 'Delete a conversation from the chat',
        description: 'Its messages remain in the log of messages until their retention ends.',
        params: ConversationParams,
        response: answers(Notice, 401, 403, 404),
      },
    },
    async (request) => {
      await webChat.remove(request.params.uuid.toLowerCase(), personOf(request));
      return success({ message: 'Conversation deleted' });
    },
  );
}
