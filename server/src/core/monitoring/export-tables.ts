import { type MessageChain, type MessageElement, textOfChain } from '@parley/sdk';
import type { MonitoredRecords, RecordKind } from './records.ts';

/** Through which bot and which pipeline something went. */
const route = ['bot_id', 'bot_name', 'pipeline_id', 'pipeline_name'] as const;

/** The columns of each exported table, in the order that programs expect. */
export const exportColumns = {
  messages: [
    'id',
    'timestamp',
    ...route,
    'runner_name',
    'message_content',
    'message_text',
    'session_id',
    'status',
    'level',
    'platform',
    'user_id',
  ],
  'llm-calls': [
    'id',
    'timestamp',
    'model_name',
    'input_tokens',
    'output_tokens',
    'total_tokens',
    'duration_ms',
    'cost',
    'status',
    ...route,
    'session_id',
    'message_id',
    'error_message',
  ],
  'tool-calls': [
    'id',
    'timestamp',
    'tool_name',
    'parameters',
    'result_size',
    'duration_ms',
    'status',
    ...route,
    'session_id',
    'message_id',
    'error_message',
  ],
  'embedding-calls': [
    'id',
    'timestamp',
    'model_name',
    'prompt_tokens',
    'total_tokens',
    'duration_ms',
    'input_count',
    'status',
    'error_message',
    'knowledge_base_id',
    'query_text',
    'session_id',
    'message_id',
    'call_type',
  ],
  errors: ['id', 'timestamp', 'error_type', 'error_message', ...route, 'session_id', 'message_id', 'stack_trace'],
  sessions: [
    'session_id',
    ...route,
    'message_count',
    'start_time',
    'last_activity',
    'is_active',
    'platform',
    'user_id',
  ],
  feedback: [
    'id',
    'timestamp',
    'feedback_id',
    'feedback_type',
    'feedback_content',
    'inaccurate_reasons',
    ...route,
    'session_id',
    'message_id',
    'stream_id',
    'user_id',
    'platform',
  ],
} as const satisfies Record<RecordKind, readonly string[]>;

const timestamps: readonly string[] = ['timestamp', 'start_time', 'last_activity'];

/** The cells of a record in a table: texts and numbers, empty for null. */
export function cellsOf<Kind extends RecordKind>(kind: Kind, record: MonitoredRecords[Kind]): (string | number)[] {
  const fields = record as unknown as Record<string, string | number | boolean | null>;
  return exportColumns[kind].map((column) => {
    switch (column) {
      case 'message_text':
        return shownText(String(fields.message_content));
      case 'duration_ms':
        return cell(column, fields.duration ?? '');
      case 'feedback_type':
        return fields.feedback_type === 1 ? 'like' : 'dislike';
      case 'is_active':
        return fields.is_active === true ? 'True' : 'False';
      default:
        return cell(column, fields[column] ?? '');
    }
  });
}

function cell(column: string, value: string | number | boolean): string | number {
  if (typeof value === 'number') return value;
  // As spreadsheets read it.
  return timestamps.includes(column) ? String(value).slice(0, 19).replace('T', ' ') : String(value);
}

/** A message as one reads it in a table. */
function shownText(content: string): string {
  return (JSON.parse(content) as MessageChain).map(shownElement).join('');
}

function shownElement(element: MessageElement): string {
  switch (element.type) {
    case 'Source':
      return '';
    case 'File':
      return `[File: ${element.name ?? ''}]`;
    case 'Voice':
      return `[Voice ${element.length ?? 0}s]`;
    case 'Quote':
      return (element.origin as MessageChain)
        .filter(({ type }) => type === 'Plain')
        .map((part) => `> ${textOfChain([part])}`)
        .join('');
    case 'Plain':
    case 'At':
    case 'AtAll':
    case 'Image':
      return textOfChain([element]);
    default:
      return `[${element.type}]`;
  }
}
