import type { FormField } from '../../components/forms/form-field.ts';
import { allFields, type Config, type FieldPlace, type FormTab, groupOf } from './pipeline-fields.ts';

/** A changed field. */
export interface Difference extends FieldPlace {
  before: unknown;
  after: unknown;
}

/** The changed fields of two configurations, in the order of the form. */
export function differences(tabs: readonly FormTab[], before: Config, after: Config): Difference[] {
  return allFields(tabs).flatMap((place) => {
    const { tab, stage, field } = place;
    const valueIn = (config: Config) => groupOf(config, tab.name, stage.name)[field.name] ?? field.default;
    const [old, edited] = [valueIn(before), valueIn(after)];
    return isSame(old, edited) ? [] : [{ ...place, before: old, after: edited }];
  });
}

/** Deep equality of JSON values, ignoring the order of keys. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [mine, theirs] = [left as Record<string, unknown>, right as Record<string, unknown>];
  const keys = Object.keys(mine);
  return (
    keys.length === Object.keys(theirs).length && keys.every((key) => key in theirs && isSame(mine[key], theirs[key]))
  );
}

/** Texts for values, in the user's language. */
export interface ValueWords {
  on: string;
  off: string;
  nothing: string;
  /** A stored secret, and a new one. */
  secret: string;
  /** The name of a record, or its id if it was deleted. */
  nameOf: (uuid: string) => string;
  localized: (text: { en_US: string; zh_Hans?: string | null; ja_JP?: string | null }) => string;
  roleOf: (role: string) => string;
}

/** A value as lines of text. Secrets are never shown. */
export function valueText(field: FormField, value: unknown, words: ValueWords): string {
  if (value === undefined || value === null || value === '') return words.nothing;
  if (field.secret) return words.secret;
  if (typeof value === 'boolean') return value ? words.on : words.off;
  if (field.type.endsWith('-selector')) return recordsIn(value).map(words.nameOf).join('\n') || words.nothing;
  if (field.type === 'select') {
    const option = field.options?.find(({ name }) => name === value);
    if (option !== undefined) return words.localized(option.label);
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return words.nothing;
    return value.map((item) => itemText(item, words)).join('\n');
  }
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

function itemText(item: unknown, { roleOf }: ValueWords): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const { role, content } = item as { role?: unknown; content?: unknown };
  return typeof role === 'string' && typeof content === 'string' ? `${roleOf(role)}: ${content}` : JSON.stringify(item);
}

/** The uuids in a reference value: one, several, or one with its fallbacks. */
function recordsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return (Array.isArray(value) ? value : Object.values(value)).flatMap(recordsIn);
}

export interface LineChange {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Number of unchanged lines around changes. */
const context = 2;

/** The removed and added lines between common start and end. */
export function lineChanges(before: string, after: string): LineChange[] {
  const [old, edited] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, edited.length);
  let head = 0;
  while (head < shorter && old[head] === edited[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === edited.at(-1 - tail)) tail += 1;
  const lines = (kind: LineChange['kind'], texts: string[]) => texts.map((text) => ({ kind, text }));
  const end = old.length - tail;
  return [
    ...lines('same', old.slice(Math.max(0, head - context), head)),
    ...lines('removed', old.slice(head, end)),
    ...lines('added', edited.slice(head, edited.length - tail)),
    ...lines('same', old.slice(end, end + context)),
  ];
}
