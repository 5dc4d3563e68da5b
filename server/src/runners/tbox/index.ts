import type { MediaContent, Runner, RunnerContext, RunnerDelta, RunnerRequest } from '@parley/sdk';
import { checkedAnswer } from '../../kit/services/checked-answer.ts';
import {
  inRememberedConversation,
  type RememberConversation,
  remembering,
} from '../../kit/services/conversation-session.ts';
import { formWithFile, unlessRefused } from '../../kit/services/file-upload.ts';
import { questionWithFiles } from '../../kit/services/question-files.ts';
import { instructedText } from '../../kit/services/request-variables.ts';
import { addressAt } from '../../kit/services/required-fields.ts';
import { ServiceClient, type ServiceRefusal, type SilenceLimit } from '../../kit/services/service-client.ts';
import { identifierAt } from '../../kit/services/values.ts';
import { failureIn, TboxAnswer } from './answer.ts';
import { readTboxSettings, type TboxConfig, type TboxSettings, tboxConfig } from './config.ts';

/** A file as the service takes it. */
interface TboxFile {
  type: 'IMAGE' | 'AUDIO' | 'VIDEO' | 'FILE';
  fileId: string;
}

const name = 'Tbox';

/** Creates the runner for applications of Tbox. */
export function createTbox(options: SilenceLimit): Runner<typeof tboxConfig> {
  return {
    name: 'tbox-app-api',
    label: { en_US: 'Tbox', zh_Hans: '百宝箱', ja_JP: 'Tbox' },
    config: tboxConfig,
    answer: (request, context) => checkedAnswer(name, request, context, () => answer(request, context, options)),
  };
}

async function* answer(
  request: RunnerRequest<TboxConfig>,
  context: RunnerContext,
  { silenceTimeoutMs }: SilenceLimit,
): AsyncGenerator<RunnerDelta> {
  const config = readTboxSettings(request.config);
  const client = ServiceClient.forAnswer(name, request, context, { silenceTimeoutMs, secrets: [config.apiKey] });
  const { text, parts: files } = await questionWithFiles(request, context, ['Image', 'Voice', 'File'], (file) =>
    unlessRefused(upload(file, client, config), file, context.logger),
  );
  const question = {
    appId: config.appId,
    query: instructedText(request, text),
    // The user, not the bot: conversations are per user.
    userId: request.message.sender_id,
    stream: true,
    ...(files.length === 0 ? {} : { files }),
  };
  yield* inRememberedConversation(
    context,
    (conversation, remember) => ask(client, config, { question, conversation, remember }),
    isUnknownConversation,
  );
}

interface Asking {
  question: object;
  /** The service's id of the conversation; null for a new one. */
  conversation: string | null;
  remember: RememberConversation;
}

async function* ask(
  client: ServiceClient,
  config: TboxSettings,
  { question, conversation, remember }: Asking,
): AsyncGenerator<RunnerDelta> {
  const response = await client.request(addressAt(config.address, '/api/chat'), {
    headers: { authorization: config.apiKey, accept: 'text/event-stream' },
    json: conversation === null ? question : { ...question, conversationId: conversation },
  });
  const reader = new TboxAnswer(client);
  yield* remembering(reader.read(response), () => reader.conversation, remember);
}

async function upload(file: MediaContent, client: ServiceClient, config: TboxSettings): Promise<TboxFile> {
  const response = await client.request(addressAt(config.address, '/api/file/upload'), {
    headers: { authorization: config.apiKey },
    form: formWithFile(file),
  });
  const body = await response.json();
  const fileId = identifierAt(body, 'data');
  if (fileId === null)
    throw failureIn(body, client) ?? client.malformed('It does not name the file that was uploaded.');
  return { type: typeOf(file.media_type), fileId };
}

function typeOf(mediaType: string): TboxFile['type'] {
  const kinds = { image: 'IMAGE', audio: 'AUDIO', video: 'VIDEO' } as const;
  return kinds[mediaType.split('/', 1)[0] as keyof typeof kinds] ?? 'FILE';
}

function isUnknownConversation({ code, message }: ServiceRefusal): boolean {
  return /conversation|会话/i.test(`${code ?? ''} ${message}`);
}
