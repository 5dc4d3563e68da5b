import { fault, type PartNames } from './content-parts.ts';
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
  used: [
    ...['model', 'input', 'instructions', 'previous_response_id', 'store', 'stream', 'stream_options', 'metadata'],
    ...['user', 'safety_identifier'],
  ],
  ignored: [
    ...['temperature', 'top_p', 'max_output_tokens', 'max_tool_calls', 'reasoning', 'truncation', 'service_tier'],
    ...['include', 'parallel_tool_calls', 'prompt_cache_key', 'prompt_cache_retention'],
  ],
  unsupported: {
    background: isFalse,
    conversation: never,
    prompt: never,
    text: (value) =>
      isRecord(value) && (value.format == null || (isRecord(value.format) && value.format.type === 'text')),
    tools: isEmptyList,
    tool_choice: isOneOf('none', 'auto'),
    top_logprobs: isOneOf(0),
  },
};

const names: PartNames = {
  text: ['input_text', 'output_text'],
  refusal: ['refusal'],
  image: ({ type, image_url: value }, path) => (type === 'input_image' ? { value, path: `${path}.image_url` } : null),
  file: ({ type, file_data: data, file_url: address, filename: name }, path) => {
    if (type !== 'input_file') return null;
    return { value: data ?? address, name, path: `${path}.${data == null ? 'file_url' : 'file_data'}` };
  },
};

/** A request for a response that has passed its schema. */
export interface ResponseRequest extends Readonly<Record<string, unknown>> {
  model: string;
  input: string | readonly unknown[];
  instructions?: string | null;
  previous_response_id?: string | null;
  store?: boolean | null;
}

/** @throws ParleyError `invalid_request` that names what cannot be taken, or `too_large` */
export async function readResponseRequest(body: ResponseRequest): Promise<ModelQuestion> {
  const ignored = checkParameters(body, rules);
  const { model, input, instructions, previous_response_id: previous = null, store } = body;
  const messages = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  for (const [index, item] of messages.entries()) {
    const type = isRecord(item) ? (item.type ?? 'message') : 'message';
    if (type !== 'message')
      throw fault(`input[${index}].type`, `items of the type ${String(type)} are not supported here`);
  }
  const path = 'input';
  const transcript = await readTranscript(messages, { path, names, instructions: instructions ? [instructions] : [] });
  return { model, ...transcript, previous, isStored: store !== false, user: userOf(body), ignored };
}
