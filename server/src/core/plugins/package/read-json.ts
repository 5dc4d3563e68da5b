import { isDeeperThan } from '../../../lib/nesting.ts';
import { refusal } from './plugin-fault.ts';

/** More than any manifest with the deepest schema of a tool. */
const deepest = 64;
/** What a terminal or a page would act on, apart from line breaks and tabs. */
const hiddenCharacter = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u;
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Reads JSON in the one way in which every reader does: UTF-8, no field twice, nothing that hides from a reader.
 * @param name of the file, for errors
 * @throws ParleyError `plugin_invalid`
 */
export function readJson(bytes: Uint8Array, name: string): unknown {
  const text = decoded(bytes, name);
  const value = parsed(text, name);
  if (isDeeperThan(value, deepest)) throw refusal(name, `is nested more than ${deepest} deep`);
  let fields = 0;
  for (const { field, text } of textsOf(value)) {
    if (field) fields += 1;
    if (field && forbiddenNames.has(text)) throw refusal(name, `has a field ${text}`);
    if (hiddenCharacter.test(text) || !text.isWellFormed()) {
      throw refusal(name, 'has a text with control characters, marks for the direction of text or broken characters');
    }
  }
  if (fields !== writtenFields(text)) throw refusal(name, 'has an object with a field twice');
  return value;
}

function decoded(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw refusal(name, 'is not UTF-8', error);
  }
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(name, 'is not JSON', error);
  }
}

/** Names of fields and texts, at any depth. */
function* textsOf(value: unknown): Generator<{ field: boolean; text: string }> {
  if (typeof value === 'string') yield { field: false, text: value };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { field: true, text: name };
    yield* textsOf(inner);
  }
}

/** How many fields valid JSON has as it is written: of two with one name, only the last is read. */
function writtenFields(json: string): number {
  let count = 0;
  for (const [, colon] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)) if (colon !== undefined) count += 1;
  return count;
}
