import { ParleyError } from '@parley/sdk';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { fingerprint } from '../../lib/token.ts';

/** A record as it is shown, and what computes the tag of that state. */
export interface Tagged<Shown> {
  record: Shown;
  tag: () => string;
}

/** Tags of which a record must have one to be changed; null for any state. */
export type ExpectedTags = readonly string[] | null;

/** Of every record: when it was written is none of its content. */
const timestamps: readonly string[] = ['created_at', 'updated_at'];

/**
 * A text of 32 hexadecimal digits that differs whenever the editable content of a record does, and only then.
 * @param stored with its secrets sealed, so that the tag changes with them and tells nothing about them
 * @param omitted fields that a change of the record cannot set
 */
export function recordTag<Stored extends object>(stored: Stored, omitted: readonly (keyof Stored & string)[]): string {
  const left: readonly string[] = [...timestamps, ...omitted];
  const editable = Object.entries(stored).filter(([field]) => !left.includes(field));
  return fingerprint(canonicalJson(Object.fromEntries(editable))).slice(0, 32);
}

/**
 * Refuses the change of a record that is not in an expected state. To be called where the record is locked until it is
 * written.
 * @throws ParleyError `record_changed`
 */
export function requireTag(expected: ExpectedTags, tag: () => string): void {
  if (expected === null || expected.includes(tag())) return;
  throw new ParleyError(
    'record_changed',
    'The record was changed since it was read. Read it again and repeat the change',
  );
}
