import type { MediaContent, Runner, RunnerContext, RunnerDelta, RunnerRequest } from '@parley/sdk';
import { CallClock } from '../../kit/services/call-clock.ts';
import { checkedAnswer } from '../../kit/services/checked-answer.ts';
import { type FileElementType, questionWithFiles } from '../../kit/services/question-files.ts';
import { addressAt } from '../../kit/services/required-fields.ts';
import { ServiceClient, ServiceRefusal } from '../../kit/services/service-client.ts';
import { ResponsesAnswer } from './answer.ts';
import { type ResponsesConfig, type ResponsesSettings, readResponsesSettings, responsesConfig } from './config.ts';

type InputPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string }
  | { type: 'input_file'; filename: string; file_data: string };

/** A message as the service takes it. */
type InputMessage = { role: 'user' | 'assistant'; content: string } | { role: 'user'; content: InputPart[] };

const name = 'OpenAI Responses';
/** Remembered of a service that remembers nothing itself; no answer is called like this. */
const stateless = '(stateless)';
/** Pictures that models understand. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** Files that are no documents. */
const unreadable = /^(image|audio|video|font)\/|^application\/(octet-stream|zip|gzip|x-)/;

/** Answers with any service that speaks the Responses protocol of OpenAI. */
export const openAiResponses: Runner<typeof responsesConfig> = {
  name: 'openai-responses',
  label: { en_US: 'OpenAI Responses', zh_Hans: 'OpenAI Responses', ja_JP: 'OpenAI Responses' },
  config: responsesConfig,
  answer: (request, context) => checkedAnswer(name, request, context, () => answer(request, context)),
};

async function* answer(request: RunnerRequest<ResponsesConfig>, context: RunnerContext): AsyncGenerator<RunnerDelta> {
  const config = readResponsesSettings(request.config);
  const client = ServiceClient.forAnswer(name, request, context, {
    silenceTimeoutMs: config.silenceTimeoutMs,
    secrets: [config.apiKey],
  });
  const question = await questionOf(request, context);
  const instructions = [config.instructions, request.instructions ?? ''].filter((part) => part.trim() !== '');
  const ask = (previous: string | null) =>
    post(client, config, {
      model: config.model,
      stream: true,
      ...(instructions.length === 0 ? {} : { instructions: instructions.join('\n\n') }),
      ...(previous === null
        ? { input: [...historyOf(request), question] }
        : { input: [question], previous_response_id: previous }),
    });

  const { memory, logger } = context;
  const remembered = await memory.read();
  const previous = remembered === stateless ? null : remembered;
  let keeps = remembered !== stateless;
  let isHeard = false;
  try {
    for await (const delta of ask(previous)) {
      isHeard = true;
      yield* remembering(delta);
    }
  } catch (error) {
    if (previous === null || isHeard || !(error instanceof ServiceRefusal) || !isAboutPrevious(error)) throw error;
    // Where the answer is only gone, the next ones can still be built upon.
    keeps = error.code === 'previous_response_not_found' || /not found/i.test(error.message);
    logger.warn({ error }, 'the previous response is unavailable, sending the full history');
    for await (const delta of ask(null)) yield* remembering(delta);
  }

  /** Passes on deltas, and stores the id of a complete answer. */
  async function* remembering(delta: RunnerDelta | { complete: string }): AsyncGenerator<RunnerDelta> {
    if (!('complete' in delta)) yield delta;
    else if (keeps) await memory.write(delta.complete);
    else if (remembered !== stateless) await memory.write(stateless);
  }
}

async function* post(
  client: ServiceClient,
  config: ResponsesSettings,
  body: Record<string, unknown>,
): AsyncGenerator<RunnerDelta | { complete: string }> {
  const clock = new CallClock();
  const response = await client.request(addressAt(config.address, '/responses'), {
    headers: {
      accept: 'text/event-stream',
      ...(config.apiKey === '' ? {} : { authorization: `Bearer ${config.apiKey}` }),
    },
    json: body,
  });
  const reader = new ResponsesAnswer(client, clock, config.model);
  yield* reader.read(response);
  if (reader.id !== null) yield { complete: reader.id };
}

async function questionOf(request: RunnerRequest, context: RunnerContext): Promise<InputMessage> {
  const { text, parts } = await questionWithFiles<InputPart>(request, context, ['Image', 'File'], async (file, type) =>
    partOf(file, type),
  );
  if (parts.length === 0) return { role: 'user', content: text };
  return { role: 'user', content: text === '' ? parts : [{ type: 'input_text', text }, ...parts] };
}

/** Null for unsupported files. */
function partOf({ name: fileName, media_type, bytes }: MediaContent, type: FileElementType): InputPart | null {
  const data = () => `data:${media_type};base64,${Buffer.from(bytes).toString('base64')}`;
  if (imageTypes.has(media_type)) return { type: 'input_image', image_url: data() };
  if (type === 'Image' || unreadable.test(media_type)) return null;
  return { type: 'input_file', filename: fileName, file_data: data() };
}

function historyOf({ history }: RunnerRequest): InputMessage[] {
  return history.filter(({ text }) => text.trim() !== '').map(({ role, text }) => ({ role, content: text }));
}

function isAboutPrevious({ status, code, message }: ServiceRefusal): boolean {
  return status >= 400 && status < 500 && /previous[ _]response/i.test(`${code ?? ''} ${message}`);
}
