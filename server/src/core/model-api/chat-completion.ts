import type { PartNames } from './content-parts.ts';
import type { ModelQuestion } from './model-question.ts';
import {
  checkParameters,
  isEmptyList,
  isFalse,
  isOneOf,
  isRecord,
  never,
  type ParameterRules,
  userOf,
} from './parameters.ts';
import { readTranscript } from './transcript.ts';

const rules: ParameterRules = {
  used: ['model', 'messages', 'stream', 'stream_options', 'user', 'safety_identifier'],
  ignored: [
    ...['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'seed', 'stop'],
    ...['max_tokens', 'max_completion_tokens', 'reasoning_effort', 'verbosity', 'prediction'],
    ...['metadata', 'store', 'service_tier', 'parallel_tool_calls', 'prompt_cache_key', 'prompt_cache_retention'],
  ],
  unsupported: {
    n: isOneOf(1),
    logprobs: isFalse,
    top_logprobs: isOneOf(0),
    tools: isEmptyList,
    tool_choice: isOneOf('none', 'auto'),
    functions: isEmptyList,
    function_call: isOneOf('none', 'auto'),
    response_format: (value) => isRecord(value) && value.type === 'text',
    modalities: (value) => Array.isArray(value) && value.every(isOneOf('text')),
    audio: never,
    web_search_options: never,
  },
};

const names: PartNames = {
  text: ['text'],
  refusal: ['refusal'],
  image: ({ type, image_url: image }, path) => {
    if (type !== 'image_url') return null;
    return { value: isRecord(image) ? image.url : image, path: `${path}.image_url.url` };
  },
  file: ({ type, file }, path) => {
    if (type !== 'file') return null;
    const { file_data: value, filename: name } = isRecord(file) ? file : {};
    return { value, name, path: `${path}.file.file_data` };
  },
};

/** A request for a chat completion that has passed its schema. */
export interface ChatCompletionRequest extends Readonly<Record<string, unknown>> {
  model: string;
  messages: readonly unknown[];
}

/** @throws ParleyError `invalid_request` that names what cannot be taken, or `too_large` */
export async function readChatCompletion(body: ChatCompletionRequest): Promise<ModelQuestion> {
  const ignored = checkParameters(body, rules);
  const transcript = await readTranscript(body.messages, { path: 'messages', names, instructions: [] });
  return { model: body.model, ...transcript, previous: null, isStored: false, user: userOf(body), ignored };
}
