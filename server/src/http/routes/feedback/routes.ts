import { principalName } from '../../../core/accounts/authenticator.ts';
import { principalOf } from '../../access.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { FeedbackBody, FeedbackParams, KeptFeedback } from './schema.ts';

export async function feedbackRoutes(server: TypedServer, { feedback }: Pick<RouteServices, 'feedback'>) {
  server.post(
    '/api/v1/messages/:message_uuid/feedback',
    {
      // What people say is no change of a record.
      config: { access: { credential: 'either', scope: 'write', role: 'member' }, audit: false },
      schema: {
        tags: ['messages'],
        summary: 'Say whether an answer was good',
        description: 'Takes the place of what the same account or key said of the message before.',
        params: FeedbackParams,
        body: FeedbackBody,
        response: answers(KeptFeedback, 400, 401, 403, 404, 415),
      },
    },
    async (request) => {
      const { params, body } = request;
      const caller = principalName(principalOf(request));
      // What platforms call it is nothing that this caller said.
      const {
        platform_message_id: _,
        stream_id: __,
        ...kept
      } = await feedback.give(params.message_uuid.toLowerCase(), caller, body);
      return success({ feedback: kept });
    },
  );
}
