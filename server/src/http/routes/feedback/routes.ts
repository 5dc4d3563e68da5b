import { principalName } from '../../../core/accounts/authenticator.ts';
import { principalOf } from '../../access.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { FeedbackBody, FeedbackParams, OpinionList, OpinionsQuery, StoredFeedback } from './schema.ts';

export async function feedbackRoutes(server: TypedServer, { feedback }: Pick<RouteServices, 'feedback'>) {
  server.get(
    '/api/v1/messages/feedback',
    {
      config: { access: { credential: 'either', scope: 'read', role: 'member' } },
      schema: {
        summary: 'What the same account or key said of messages',
        description: 'Messages without feedback of the caller are left out.',
        querystring: OpinionsQuery,
        response: answers(OpinionList, 400, 401, 403),
      },
    },
    async (request) => {
      const uuids = new Set(request.query.message_uuids.toLowerCase().split(','));
      return success({ feedback: await feedback.given(principalName(principalOf(request)), [...uuids]) });
    },
  );

  server.post(
    '/api/v1/messages/:message_uuid/feedback',
    {
      // Feedback is no change of a record.
      config: { access: { credential: 'either', scope: 'write', role: 'member' }, audit: false },
      schema: {
        summary: 'Like or dislike an answer',
        description: 'Replaces earlier feedback of the same account or key on the message.',
        params: FeedbackParams,
        body: FeedbackBody,
        response: answers(StoredFeedback, 400, 401, 403, 404, 415),
      },
    },
    async (request) => {
      const { params, body } = request;
      const caller = principalName(principalOf(request));
      // The feedback id of the platform does not belong to this caller.
      const {
        platform_message_id: _,
        stream_id: __,
        ...storedFeedback
      } = await feedback.give(params.message_uuid.toLowerCase(), caller, body);
      return success({ feedback: storedFeedback });
    },
  );
}
