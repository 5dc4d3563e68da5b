import { ParleyError } from '@parley/sdk';
import { parseAllDocuments } from 'yaml';
import { withoutVastGaps } from '../../kit/blank-lines.ts';

export interface ReadValues {
  values: unknown[];
  /** Lines that were skipped because they are not valid JSON. */
  skipped: number;
}

/** More digits than a number of JavaScript keeps. */
const longNumber = /\d{16}/;

/** @throws ParleyError `document_broken` */
export function readJson(text: string): ReadValues {
  try {
    return { values: [exactly(text)], skipped: 0 };
  } catch (error) {
    // One record in each line is often called JSON, too.
    if (/^\s*\{.*\}[^\S\n]*\n\s*\{/.test(text)) return readJsonLines(text);
    const message = `The file is no JSON: ${error instanceof Error ? error.message : 'it is damaged'}.`;
    throw new ParleyError('document_broken', message, { cause: error });
  }
}

/** @throws ParleyError `document_broken` when most lines cannot be read */
export function readJsonLines(text: string): ReadValues {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values: unknown[] = [];
  for (const line of lines) {
    try {
      values.push(exactly(line));
    } catch {
      // Counted below: the file may have been cut in the middle of a line.
    }
  }
  const skipped = lines.length - values.length;
  if (skipped <= values.length) return { values, skipped };
  throw new ParleyError('document_broken', `${skipped} of ${lines.length} lines are not JSON.`);
}

/** @throws ParleyError `document_broken` */
export function readYaml(text: string): ReadValues {
  const documents = parseAllDocuments(withoutVastGaps(text), {
    intAsBigInt: longNumber.test(text),
    logLevel: 'silent',
  });
  const values: unknown[] = [];
  for (const document of Array.isArray(documents) ? documents : []) {
    const [error] = document.errors;
    if (error !== undefined) {
      throw new ParleyError('document_broken', `The file is not YAML: ${error.message}`, { cause: error });
    }
    // Bounds the size that references between lines can expand to.
    values.push(document.toJS({ maxAliasCount: 100 }));
  }
  return { values, skipped: 0 };
}

/** Long numbers, which are names of things, keep all their digits. */
function exactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!longNumber.test(text)) return value;
  return JSON.parse(text, (_key, inner: unknown, context?: { source?: string }) =>
    typeof inner === 'number' && context?.source !== undefined && String(inner) !== context.source
      ? context.source
      : inner,
  );
}
