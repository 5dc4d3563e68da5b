import type { Parser } from '@parley/sdk';
import { csv } from './csv/index.ts';
import { json } from './json/index.ts';
import { markdown } from './markdown/index.ts';
import { plainText } from './plain-text/index.ts';
import { sourceCode } from './source-code/index.ts';

/** Every built-in parser; of two that read the same, the first one does. */
export const parsers: readonly Parser[] = [
  // Documents of one format.
  // Text of some kind.
  markdown,
  csv,
  json,
  sourceCode,
  // Whatever else is text.
  plainText,
];
