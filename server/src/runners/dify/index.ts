import { ParleyError, type Runner, type RunnerContext, type RunnerDelta, type RunnerRequest } from '@parley/sdk';
import { CallClock } from '../../kit/services/call-clock.ts';
import { checkedAnswer } from '../../kit/services/checked-answer.ts';
import { questionWithFiles } from '../../kit/services/question-files.ts';
import { runnerConfig, timeoutMs } from '../../kit/services/runner-config.ts';
import type { ServiceAnswer } from '../../kit/services/service-answer.ts';
import { ServiceClient, ServiceRefusal } from '../../kit/services/service-client.ts';
import { newUuid } from '../../lib/uuid.ts';
import { AnswerFiles } from './answer-files.ts';
import { chatDeltas } from './chat-events.ts';
import { sendFile } from './sent-file.ts';
import { workflowDeltas } from './workflow-events.ts';

const name = 'Dify';
/** What stands in a configuration until somebody fills it in. */
const placeholder = 'your-api-key';
const usualPrompt = 'Read the attached file. If it is an image, describe what it shows.';

/** Has an application of Dify write the answer: a chat, an agent or a workflow. */
export const dify: Runner = {
  name: 'dify-service-api',
  label: { en_US: 'Dify', zh_Hans: 'Dify' },
  answer: (request, context) => checkedAnswer(name, request, context, () => answer(request, context)),
};

interface Question {
  query: string;
  files: object[];
  /** Whom the conversation at Dify belongs to. */
  user: string;
  inputs: Record<string, string>;
}

async function* answer(request: RunnerRequest, context: RunnerContext): AsyncGenerator<RunnerDelta> {
  const config = runnerConfig('dify-service-api', request.config);
  const key = config['api-key'].trim();
  if (key === '' || key === placeholder) {
    throw new ParleyError('provider_unauthorized', 'The pipeline has no API key of Dify.');
  }
  const base = config['base-url'].trim().replace(/\/+$/, '');
  const client = new ServiceClient({
    name,
    fetch: context.fetch,
    signal: request.signal,
    silenceTimeoutMs: timeoutMs(config.timeout),
    secrets: [key],
  });
  const headers = { authorization: `Bearer ${key}` };
  const post = (path: string, json: object) => client.request(`${base}${path}`, { headers, json });
  const files = new AnswerFiles(client, base, context.logger);

  const user = `${request.message.session_type}_${request.message.session_id}`;
  const { text, parts } = await questionWithFiles(request, context, ['Image', 'Voice', 'File'], (file) =>
    sendFile(file, { client, address: `${base}/files/upload`, headers, user, logger: context.logger }),
  );
  const query = text.trim() === '' ? config['base-prompt'].trim() || usualPrompt : text;
  const question: Question = { query, files: parts, user, inputs: inputsOf(request) };

  const clock = new CallClock();
  if (config['app-type'] === 'workflow') {
    const answered = await runWorkflow(question, request, context, post);
    yield* workflowDeltas(answered, { client, clock, files });
    return;
  }
  const { answered, conversation } = await chat(question, context, post);
  let known = conversation;
  const remember = async (id: string) => {
    if (id === known) return;
    known = id;
    await context.memory.write(id);
  };
  yield* chatDeltas(answered, { client, clock, files, remember });
}

type Post = (path: string, json: object) => Promise<ServiceAnswer>;

/** Goes on with the conversation that Dify knows; where Dify has forgotten it, another one begins. */
async function chat({ query, files, user, inputs }: Question, { memory, logger }: RunnerContext, post: Post) {
  const ask = (conversation_id: string) =>
    post('/chat-messages', { inputs, query, response_mode: 'streaming', user, conversation_id, files });
  const conversation = (await memory.read()) ?? '';
  try {
    return { answered: await ask(conversation), conversation };
  } catch (error) {
    if (conversation === '' || !(error instanceof ServiceRefusal) || error.status !== 404) throw error;
    logger.warn({ conversation }, 'Dify does not know the conversation any more, another one begins');
    return { answered: await ask(''), conversation: '' };
  }
}

/** A workflow remembers nothing itself, but is told which conversation it is asked in. */
async function runWorkflow(
  { query, files, user, inputs }: Question,
  { message, variables }: RunnerRequest,
  { memory }: RunnerContext,
  post: Post,
): Promise<ServiceAnswer> {
  let conversation = await memory.read();
  if (conversation === null) {
    conversation = newUuid();
    await memory.write(conversation);
  }
  return post('/workflows/run', {
    inputs: {
      ...inputs,
      user_message_text: query,
      conversation_id: conversation,
      // Workflows that were made for the reference system declare inputs of these names.
      langbot_user_message_text: query,
      langbot_session_id: user,
      langbot_conversation_id: conversation,
      langbot_msg_create_time: variables.msg_create_time ?? String(Math.floor(Date.parse(message.created_at) / 1000)),
    },
    response_mode: 'streaming',
    user,
    files,
  });
}

/** What the application may use of the message. Names that begin with `_` are internal and stay here. */
function inputsOf({ variables, instructions = '' }: RunnerRequest): Record<string, string> {
  const shared = Object.fromEntries(Object.entries(variables).filter(([variable]) => !variable.startsWith('_')));
  return instructions === '' ? shared : { ...shared, instructions };
}
