import type { Runner, RunnerContext, RunnerDelta, RunnerRequest } from '@parley/sdk';
import { CallClock } from '../../kit/services/call-clock.ts';
import { checkedAnswer } from '../../kit/services/checked-answer.ts';
import { inRememberedConversation, ownConversation } from '../../kit/services/conversation-session.ts';
import { questionWithFiles } from '../../kit/services/question-files.ts';
import { requestVariables } from '../../kit/services/request-variables.ts';
import { addressAt, requireFields } from '../../kit/services/required-fields.ts';
import { ServiceClient } from '../../kit/services/service-client.ts';
import { timeoutMs } from '../../kit/services/timeout.ts';
import { answerDeltas } from './answer.ts';
import { AnswerFiles } from './answer-files.ts';
import { type DifyConfig, difyConfig } from './config.ts';
import { sendFile } from './sent-file.ts';

const name = 'Dify';
const defaultPrompt = 'Read the attached file. If it is an image, describe what it shows.';

/** Has an application of Dify write the answer: a chat, an agent or a workflow. */
export const dify: Runner<typeof difyConfig> = {
  name: 'dify-service-api',
  label: { en_US: 'Dify', zh_Hans: 'Dify', ja_JP: 'Dify' },
  config: difyConfig,
  answer: (request, context) => checkedAnswer(name, request, context, () => answer(request, context)),
};

async function* answer(request: RunnerRequest<DifyConfig>, context: RunnerContext): AsyncGenerator<RunnerDelta> {
  const { config } = request;
  const { 'base-url': base, 'app-type': appType } = config;
  const key = config['api-key'].trim();
  requireFields(name, { 'base-url': base, 'api-key': key });
  const { logger } = context;
  const client = ServiceClient.forAnswer(name, request, context, {
    silenceTimeoutMs: timeoutMs(config.timeout),
    secrets: [key],
  });
  const headers = { authorization: `Bearer ${key}` };
  const post = (path: string, json: object) => client.request(addressAt(base, path), { headers, json });

  // The user that owns the conversation and the files at Dify.
  const user = `${request.message.session_type}_${request.message.session_id}`;
  const address = addressAt(base, '/files/upload');
  const { text, parts } = await questionWithFiles(request, context, ['Image', 'Voice', 'File'], (file) =>
    sendFile(file, { client, address, headers, user, logger }),
  );
  const query = text.trim() === '' ? config['base-prompt'].trim() || defaultPrompt : text;
  const inputs = requestVariables(request);
  const asked = { response_mode: 'streaming', user, files: parts };
  const reading = { client, clock: new CallClock(), files: new AnswerFiles(client, base.trim(), logger) };

  if (appType === 'workflow') {
    // Workflows have no memory but receive the conversation id.
    const conversation = await ownConversation(context.memory);
    const told = { ...inputs, ...workflowInputs(request, { query, user, conversation }) };
    yield* answerDeltas(await post('/workflows/run', { ...asked, inputs: told }), reading, null);
    return;
  }
  yield* inRememberedConversation(
    context,
    async function* (conversation, remember) {
      const answered = await post('/chat-messages', { ...asked, inputs, query, conversation_id: conversation ?? '' });
      yield* answerDeltas(answered, reading, remember);
    },
    ({ status }) => status === 404,
  );
}

function workflowInputs(
  { message, variables }: RunnerRequest,
  { query, user, conversation }: { query: string; user: string; conversation: string },
): Record<string, string> {
  return {
    user_message_text: query,
    conversation_id: conversation,
    // Workflows built for the reference system declare inputs of these names.
    langbot_user_message_text: query,
    langbot_session_id: user,
    langbot_conversation_id: conversation,
    langbot_msg_create_time: variables.msg_create_time ?? String(Math.floor(Date.parse(message.created_at) / 1000)),
  };
}
