import { ParleyError, type PipelineTrial, problemError, type SessionType } from '@parley/sdk';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { isSignedInAdmin } from '../../../core/accounts/authenticator.ts';
import type { WebChatPerson, WebChatPlace } from '../../../core/web-chat/web-chat.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { authorOf, callerOf, principalOf, requiredAccessOf } from '../../access.ts';
import { answers, success } from '../../envelope.ts';
import { errorAnswer } from '../../error-mapping.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { ChatSocket } from './chat-socket.ts';
import {
  BroadcastBody,
  ConnectQuery,
  Notice,
  PlaceQuery,
  WebChatConnections,
  WebChatMessages,
  WebChatParams,
  WebChatSessionParams,
} from './schema.ts';

const base = '/api/v1/pipelines/:pipeline_uuid/ws';

export async function webChatRoutes(
  server: TypedServer,
  { connectedCallers, webChat }: Pick<RouteServices, 'connectedCallers' | 'webChat'>,
) {
  server.route({
    method: 'GET',
    url: `${base}/connect`,
    config: { access: { credential: 'either', scope: 'send', role: 'member', cookie: true } },
    // The API description has no websockets; docs/web-chat.md describes the frames.
    schema: { hide: true, params: WebChatParams, querystring: ConnectQuery },
    handler: async () => {
      throw new ParleyError('invalid_request', 'This path is for websockets');
    },
    wsHandler: async (webSocket, request) => {
      const chat = new ChatSocket(webSocket);
      try {
        await connectedCallers.join({
          kind: 'socket',
          principal: principalOf(request),
          required: requiredAccessOf(request),
          end: (fault) => chat.refuse(fault, request.id),
          onClose: (listener) => chat.onClose(listener),
        });
        const person = personOf(request);
        const socket = {
          pipeline_uuid: request.params.pipeline_uuid.toLowerCase(),
          session_type: sessionTypeOf(request.query.session_type ?? 'person'),
          person_id: person.id,
          person_name: person.name,
          signed_in_admin: isSignedInAdmin(principalOf(request)),
          trial: trialOf(request, request.query),
          ...chat.transport(),
        };
        await webChat.connect(socket, conversationOf(request.query));
      } catch (error) {
        chat.refuse(error, request.id);
        const { body } = errorAnswer(error, request.id);
        if (body.code === -2) request.log.error({ err: error, request_id: request.id }, 'web chat connection failed');
      }
    },
  });

  server.get(
    `${base}/messages/:session_type`,
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member' } },
      schema: {
        summary: 'The current conversation of the caller',
        params: WebChatSessionParams,
        querystring: PlaceQuery,
        response: answers(WebChatMessages, 400, 401, 403, 404, 409),
      },
    },
    async (request) => {
      const { pipeline_uuid, session_type } = request.params;
      const place = placeOf(request, session_type, request.query);
      const messages = await webChat.messages(pipeline_uuid, place, personOf(request));
      return success({ messages });
    },
  );

  server.post(
    `${base}/reset/:session_type`,
    {
      config: { access: { credential: 'either', scope: 'send', role: 'member' }, audit: false },
      schema: {
        summary: 'Start a new conversation',
        params: WebChatSessionParams,
        querystring: PlaceQuery,
        response: answers(Notice, 400, 401, 403, 404, 409),
      },
    },
    async (request) => {
      const { pipeline_uuid, session_type } = request.params;
      const place = placeOf(request, session_type, request.query);
      await webChat.reset(pipeline_uuid, place, personOf(request));
      return success({ message: 'Session reset successfully' });
    },
  );

  server.get(
    `${base}/connections`,
    {
      config: { access: { credential: 'user', scope: 'read', role: 'member' } },
      schema: {
        summary: 'Open connections',
        params: WebChatParams,
        response: answers(WebChatConnections, 401, 403, 404),
      },
    },
    async (request) => {
      const { all, own } = await webChat.connections(request.params.pipeline_uuid, callerOf(request));
      return success({
        stats: {
          total_connections: all.length,
          pipelines: new Set(all.map((connection) => connection.pipeline_uuid)).size,
          connections_by_pipeline: countBy(all.map((connection) => connection.pipeline_uuid)),
          connections_by_session_type: countBy(all.map((connection) => connection.session_type)),
        },
        connections: own.map(({ pipeline_uuid: _, ...shown }) => shown),
      });
    },
  );

  server.post(
    `${base}/broadcast`,
    {
      config: { access: { credential: 'user', scope: 'send', role: 'member' }, audit: false },
      schema: {
        summary: 'Show a notice to all clients of the pipeline',
        params: WebChatParams,
        body: BroadcastBody,
        response: answers(Notice, 400, 401, 403, 404),
      },
    },
    async (request) => {
      const { message } = request.body;
      if (!message) {
        throw new ParleyError('invalid_request', 'message is required', {
          details: [{ path: 'message', message: 'is required', rule: 'required' }],
        });
      }
      await webChat.broadcast(request.params.pipeline_uuid, message);
      return success({ message: 'Broadcast sent successfully' });
    },
  );
}

function sessionTypeOf(text: string): SessionType {
  if (text === 'person' || text === 'group') return text;
  throw new ParleyError('invalid_request', 'session_type must be person or group', {
    details: [{ path: 'session_type', message: 'must be person or group' }],
  });
}

function placeOf(request: FastifyRequest, sessionType: string, query: Static<typeof PlaceQuery>): WebChatPlace {
  return {
    session_type: sessionTypeOf(sessionType),
    trial: trialOf(request, query),
    conversation: conversationOf(query),
  };
}

function conversationOf({ conversation }: Static<typeof PlaceQuery>): string | null {
  if (conversation === undefined) return null;
  return isUuid(conversation) ? conversation.toLowerCase() : conversation;
}

/** @throws ParleyError `scope_required` for callers who may not read and write drafts */
function trialOf(request: FastifyRequest, { version, model }: Static<typeof PlaceQuery>): PipelineTrial | null {
  if (version === undefined && model === undefined) return null;
  if (authorOf(request) !== 'admin') {
    throw problemError('admins_try_drafts');
  }
  return {
    ...(version === undefined ? {} : { version: version === 'draft' ? version : Number(version) }),
    ...(model === undefined ? {} : { model_uuid: model.toLowerCase() }),
  };
}

/** API keys are users of their own, accounts are themselves. */
export function personOf(request: FastifyRequest): WebChatPerson {
  const principal = principalOf(request);
  return principal.kind === 'user'
    ? { id: principal.account.uuid, name: principal.account.user }
    : { id: `api-key-${principal.id}`, name: principal.name };
}

function countBy(keys: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
