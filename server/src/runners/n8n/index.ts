import { ParleyError, type Runner, type RunnerContext, type RunnerDelta, type RunnerRequest } from '@parley/sdk';
import { checkedAnswer } from '../../kit/services/checked-answer.ts';
import { ownConversation } from '../../kit/services/conversation-session.ts';
import { requestVariables } from '../../kit/services/request-variables.ts';
import { ServiceClient } from '../../kit/services/service-client.ts';
import { timeoutMs } from '../../kit/services/timeout.ts';
import { answerDeltas } from './answer.ts';
import { type N8nConfig, n8nConfig } from './config.ts';
import { credentialsOf } from './credentials.ts';

const name = 'n8n';
/** Default of the setting until it is filled in. */
const placeholder = 'http://your-n8n-webhook-url';

/** Gets the answer from an n8n workflow that starts with a webhook or a chat trigger. */
export const n8n: Runner<typeof n8nConfig> = {
  name: 'n8n-service-api',
  label: { en_US: 'n8n', zh_Hans: 'n8n', ja_JP: 'n8n' },
  config: n8nConfig,
  answer: (request, context) => checkedAnswer(name, request, context, () => answer(request, context)),
};

async function* answer(
  request: RunnerRequest<N8nConfig>,
  { memory, fetch }: RunnerContext,
): AsyncGenerator<RunnerDelta> {
  const { config } = request;
  const address = config['webhook-url'].trim();
  if (address === '' || address === placeholder) {
    throw new ParleyError('invalid_request', 'The pipeline has no n8n webhook URL.');
  }
  const { headers, secrets } = await credentialsOf(config);
  const silenceTimeoutMs = timeoutMs(config.timeout);
  const client = new ServiceClient({ name, fetch, signal: request.signal, silenceTimeoutMs, secrets });
  const conversation = await ownConversation(memory);
  const answered = await client.request(address, { headers, json: bodyOf(request, conversation) });
  yield* answerDeltas(answered, { client, key: config['output-key'].trim() || 'response' });
}

/** The request body for a workflow. */
function bodyOf(request: RunnerRequest, conversation_id: string): object {
  const { text, message } = request;
  const session = `${message.session_type}_${message.session_id}`;
  return {
    session_id: session,
    msg_create_time: String(Math.floor(Date.parse(message.created_at) / 1000)),
    ...requestVariables(request),
    chatInput: text,
    message: text,
    user_message_text: text,
    conversation_id,
    user_id: session,
  };
}
