import type { MediaContent, Runner, RunnerContext, RunnerDelta, RunnerRequest } from '@parley/sdk';
import { CallClock } from '../../kit/services/call-clock.ts';
import { checkedAnswer } from '../../kit/services/checked-answer.ts';
import {
  inRememberedConversation,
  type RememberConversation,
  remembering,
} from '../../kit/services/conversation-session.ts';
import { formWithFile, unlessRefused } from '../../kit/services/file-upload.ts';
import { questionWithFiles } from '../../kit/services/question-files.ts';
import { addedInstructions } from '../../kit/services/request-variables.ts';
import { addressAt } from '../../kit/services/required-fields.ts';
import { ServiceClient, type ServiceRefusal } from '../../kit/services/service-client.ts';
import { identifierAt, recordAt } from '../../kit/services/values.ts';
import { CozeAnswer, failureIn } from './answer.ts';
import { type CozeConfig, type CozeSettings, cozeConfig, readCozeSettings } from './config.ts';

/** A part of a question with files. */
type QuestionPart = { type: 'text'; text: string } | { type: 'image' | 'audio' | 'file'; file_id: string };

/** A message as the service takes it. */
interface CozeMessage {
  role: 'user' | 'assistant';
  type: 'question' | 'answer';
  content_type: 'text' | 'object_string';
  content: string;
}

const partTypes = { Image: 'image', Voice: 'audio', File: 'file' } as const;

/** Answers with a bot of Coze, of coze.cn, coze.com or a service that speaks the same. */
export const coze: Runner<typeof cozeConfig> = {
  name: 'coze-api',
  label: { en_US: 'Coze', zh_Hans: '扣子', ja_JP: 'Coze' },
  config: cozeConfig,
  answer: (request, context) => checkedAnswer('Coze', request, context, () => answer(request, context)),
};

async function* answer(request: RunnerRequest<CozeConfig>, context: RunnerContext): AsyncGenerator<RunnerDelta> {
  const config = readCozeSettings(request.config);
  const client = ServiceClient.forAnswer('Coze', request, context, {
    silenceTimeoutMs: config.silenceTimeoutMs,
    secrets: [config.apiKey],
  });
  const question = await questionOf(request, context, client, config);
  if (!config.keepsHistory) {
    const remember = async () => {};
    yield* ask(client, config, { request, messages: [...historyOf(request), question], conversation: null, remember });
    return;
  }
  yield* inRememberedConversation(
    context,
    (conversation, remember) => ask(client, config, { request, messages: [question], conversation, remember }),
    isUnknownConversation,
  );
}

interface Asking {
  request: RunnerRequest;
  messages: CozeMessage[];
  /** The service's id of the conversation; null for a new one. */
  conversation: string | null;
  remember: RememberConversation;
}

async function* ask(
  client: ServiceClient,
  config: CozeSettings,
  { request, messages, conversation, remember }: Asking,
): AsyncGenerator<RunnerDelta> {
  const { session_type, session_id } = request.message;
  const query = conversation === null ? '' : `?conversation_id=${encodeURIComponent(conversation)}`;
  const custom_variables = addedInstructions(request);
  const clock = new CallClock();
  const response = await client.request(addressAt(config.address, `/v3/chat${query}`), {
    headers: { authorization: `Bearer ${config.apiKey}`, accept: 'text/event-stream' },
    json: {
      bot_id: config.botId,
      user_id: `${session_type}_${session_id}`,
      stream: true,
      auto_save_history: config.keepsHistory,
      additional_messages: messages,
      ...(Object.keys(custom_variables).length === 0 ? {} : { custom_variables }),
    },
  });
  const reader = new CozeAnswer(client, clock, `coze/${config.botId}`);
  yield* remembering(reader.read(response), () => reader.conversation, remember);
}

/** The question, with its files, which are uploaded first. */
async function questionOf(
  request: RunnerRequest,
  context: RunnerContext,
  client: ServiceClient,
  config: CozeSettings,
): Promise<CozeMessage> {
  const { text, parts } = await questionWithFiles<QuestionPart>(
    request,
    context,
    ['Image', 'Voice', 'File'],
    async (file, type) => {
      const file_id = await unlessRefused(upload(file, client, config), file, context.logger);
      return file_id === null ? null : { type: partTypes[type], file_id };
    },
  );
  if (parts.length === 0) return { role: 'user', type: 'question', content_type: 'text', content: text };
  const content: QuestionPart[] = text === '' ? parts : [{ type: 'text', text }, ...parts];
  return { role: 'user', type: 'question', content_type: 'object_string', content: JSON.stringify(content) };
}

/** @returns the service's id of the file */
async function upload(file: MediaContent, client: ServiceClient, config: CozeSettings): Promise<string> {
  const response = await client.request(addressAt(config.address, '/v1/files/upload'), {
    headers: { authorization: `Bearer ${config.apiKey}` },
    form: formWithFile(file),
  });
  const body = await response.json();
  const id = identifierAt(recordAt(body, 'data'), 'id');
  if (id === null) throw failureIn(body, client) ?? client.malformed('It does not name the file that was uploaded.');
  return id;
}

function historyOf({ history }: RunnerRequest): CozeMessage[] {
  return history
    .filter(({ text }) => text.trim() !== '')
    .map(({ role, text }) => ({
      role,
      type: role === 'user' ? 'question' : 'answer',
      content_type: 'text',
      content: text,
    }));
}

function isUnknownConversation({ code, message }: ServiceRefusal): boolean {
  return code === '4200' || (code === '4000' && /conversation/i.test(message));
}
