import { isRecord, listAt, recordAt, textAt } from '../../kit/services/values.ts';

/** Maximum outputs of one flow that are read. */
const maximumOutputs = 50;

/**
 * The text that a flow returned: that of each of its outputs, once, with an empty line between two of them. Empty when
 * there is none.
 */
export function textOfResult(result: unknown): string {
  const texts = listAt(result, 'outputs')
    .flatMap((run) => listAt(run, 'outputs'))
    .slice(0, maximumOutputs)
    .map(textOfOutput)
    .filter((text) => text.trim() !== '');
  return [...new Set(texts)].join('\n\n');
}

/** Versions of Langflow write the text of an output in several places; the first that has it counts. */
function textOfOutput(output: unknown): string {
  const messages = listAt(output, 'messages').map((message) => textAt(message, 'message'));
  if (messages.some((text) => text !== '')) return messages.filter((text) => text !== '').join('\n\n');
  const results = Object.values(recordAt(output, 'results'));
  const outputs = Object.values(recordAt(output, 'outputs'));
  return [...results, ...outputs].map(textOfValue).find((text) => text !== '') ?? '';
}

function textOfValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isRecord(value)) return '';
  const inner = value.message;
  return textAt(value, 'text') || textAt(recordAt(value, 'data'), 'text') || textAt(inner, 'text') || textOf(inner);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
