import type { MessageElement, Runner, RunnerContext, RunnerDelta, RunnerRequest } from '@parley/sdk';
import { textOfChain } from '@parley/sdk';
import { CallClock } from '../../kit/services/call-clock.ts';
import { checkedAnswer } from '../../kit/services/checked-answer.ts';
import {
  inRememberedConversation,
  type RememberConversation,
  remembering,
} from '../../kit/services/conversation-session.ts';
import { addedInstructions, requestVariables } from '../../kit/services/request-variables.ts';
import { addressAt } from '../../kit/services/required-fields.ts';
import { ServiceClient, type ServiceRefusal, type SilenceLimit } from '../../kit/services/service-client.ts';
import { DashscopeAnswer } from './answer.ts';
import { type DashscopeConfig, type DashscopeSettings, dashscopeConfig, readDashscopeSettings } from './config.ts';
import { References } from './references.ts';

const name = 'Alibaba Cloud Model Studio';
/** Addresses of pictures, and of files, that go with one question. */
const maximumAddresses = 10;

/** Creates the runner for applications of Alibaba Cloud Model Studio: agents and workflows. */
export function createDashscope(options: SilenceLimit): Runner<typeof dashscopeConfig> {
  return {
    name: 'dashscope-app-api',
    label: { en_US: 'Alibaba Cloud Model Studio', zh_Hans: '阿里云百炼', ja_JP: 'Alibaba Cloud Model Studio' },
    config: dashscopeConfig,
    answer: (request, context) => checkedAnswer(name, request, context, () => answer(request, context, options)),
  };
}

async function* answer(
  request: RunnerRequest<DashscopeConfig>,
  context: RunnerContext,
  { silenceTimeoutMs }: SilenceLimit,
): AsyncGenerator<RunnerDelta> {
  const config = readDashscopeSettings(request.config);
  const client = ServiceClient.forAnswer(name, request, context, { silenceTimeoutMs, secrets: [config.apiKey] });
  yield* inRememberedConversation(
    context,
    (session, remember) => ask(client, config, { request, session, remember }),
    isUnknownSession,
  );
}

interface Asking {
  request: RunnerRequest;
  /** The service's id of the conversation; null for a new one. */
  session: string | null;
  remember: RememberConversation;
}

async function* ask(
  client: ServiceClient,
  config: DashscopeSettings,
  { request, session, remember }: Asking,
): AsyncGenerator<RunnerDelta> {
  const clock = new CallClock();
  const isWorkflow = config.kind === 'workflow';
  const response = await client.request(
    addressAt(config.address, `/apps/${encodeURIComponent(config.appId)}/completion`),
    {
      headers: { authorization: `Bearer ${config.apiKey}`, accept: 'text/event-stream', 'x-dashscope-sse': 'enable' },
      json: {
        input: {
          ...questionOf(request),
          ...(session === null ? {} : { session_id: session }),
          ...parametersOf(request, isWorkflow),
        },
        // Text of workflow nodes is streamed only on request.
        parameters: {
          incremental_output: true,
          ...(isWorkflow ? { flow_stream_mode: 'message_format' } : { has_thoughts: true }),
        },
      },
    },
  );
  const reader = new DashscopeAnswer(client, clock, new References(config.quoteWords));
  yield* remembering(reader.read(response), () => reader.session, remember);
}

/** The question. The service fetches pictures and files itself, so only those with a public URL are sent. */
function questionOf({ text, message_chain }: RunnerRequest): Record<string, unknown> {
  const addressed = (type: 'Image' | 'File') =>
    message_chain.filter((element) => element.type === type && isPublic(element)).slice(0, maximumAddresses);
  const images = addressed('Image');
  const files = addressed('File');
  if (images.length + files.length === 0) return { prompt: text };
  const beside = new Set([...images, ...files]);
  return {
    prompt: textOfChain(message_chain.filter((element) => !beside.has(element))).trim() || text,
    ...(images.length === 0 ? {} : { image_list: images.map(addressOf) }),
    ...(files.length === 0 ? {} : { file_list: files.map(addressOf) }),
  };
}

function addressOf(element: MessageElement): string {
  return (element as { url?: string | null }).url ?? '';
}

function isPublic(element: MessageElement): boolean {
  const url = URL.parse(addressOf(element));
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === '';
}

/** A workflow receives the variables of the message, an agent the additional instructions. */
function parametersOf(request: RunnerRequest, isWorkflow: boolean): Record<string, unknown> {
  if (isWorkflow) return { biz_params: requestVariables(request) };
  const added = addedInstructions(request);
  return Object.keys(added).length === 0 ? {} : { biz_params: { user_prompt_params: added } };
}

function isUnknownSession({ status, message }: ServiceRefusal): boolean {
  return status >= 400 && status < 500 && /session/i.test(message);
}
