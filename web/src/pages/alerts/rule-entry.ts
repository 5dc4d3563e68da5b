import type { AlertKind, AlertRule } from './alert-queries.ts';

export const alertKinds = [
  'bot_offline',
  'error_rate',
  'waiting_messages',
  'uncertain_messages',
  'cost',
  'failed_documents',
] as const satisfies AlertKind[];

export const numberFields = ['percent', 'amount', 'minimum_count', 'age_minutes', 'window_minutes'] as const;
export const recordFields = ['bot_uuid', 'pipeline_uuid', 'knowledge_base_uuid'] as const;
type Field = (typeof numberFields)[number] | (typeof recordFields)[number];

/** The parameters of each kind of rule, with their defaults as they are typed. */
export const parametersOf: Record<AlertKind, Partial<Record<Field, string>>> = {
  bot_offline: { bot_uuid: '' },
  error_rate: { percent: '20', minimum_count: '10', window_minutes: '60', bot_uuid: '', pipeline_uuid: '' },
  waiting_messages: { minimum_count: '10', age_minutes: '10', bot_uuid: '' },
  uncertain_messages: { minimum_count: '1', window_minutes: '60', bot_uuid: '' },
  cost: { amount: '', window_minutes: '1440', bot_uuid: '', pipeline_uuid: '' },
  failed_documents: { minimum_count: '1', window_minutes: '1440', knowledge_base_uuid: '' },
};

/** A rule as its form has it: numbers are texts while they are typed. */
export interface RuleEntry {
  name: string;
  kind: AlertKind;
  parameters: Partial<Record<Field, string>>;
  minimum_minutes: string;
  targets: string[];
}

export function entryOf({ name, kind, parameters, minimum_minutes, targets }: AlertRule): RuleEntry {
  const typed = Object.keys(parametersOf[kind]).map((field) => [field, String(parameters[field as Field] ?? '')]);
  return { name, kind, parameters: Object.fromEntries(typed), minimum_minutes: String(minimum_minutes), targets };
}

/** What the API takes. What is no number is sent as null, so that the server names the field. */
export function bodyOf({ name, kind, parameters, minimum_minutes, targets }: RuleEntry) {
  const given = Object.keys(parametersOf[kind]).map((field) => {
    const text = (parameters[field as Field] ?? '').trim();
    if ((recordFields as readonly string[]).includes(field)) return [field, text === '' ? null : text];
    return [field, numberOf(text)];
  });
  return {
    name: name.trim(),
    // By the table above.
    parameters: Object.fromEntries(given) as AlertRule['parameters'],
    // The server refuses null at its field.
    minimum_minutes: numberOf(minimum_minutes) as number,
    targets,
  };
}

function numberOf(text: string): number | null {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(number) ? null : number;
}
