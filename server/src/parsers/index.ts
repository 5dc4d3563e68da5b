import type { Parser } from '@parley/sdk';
import { csv } from './csv/index.ts';
import { docx } from './docx/index.ts';
import { email } from './email/index.ts';
import { epub } from './epub/index.ts';
import { html } from './html/index.ts';
import { json } from './json/index.ts';
import { markdown } from './markdown/index.ts';
import { pdf } from './pdf/index.ts';
import { plainText } from './plain-text/index.ts';
import { pptx } from './pptx/index.ts';
import { sourceCode } from './source-code/index.ts';
import { xlsx } from './xlsx/index.ts';

/** Every built-in parser; of two that read the same, the first one does. */
export const parsers: readonly Parser[] = [
  // Documents of one format.
  pdf,
  docx,
  pptx,
  xlsx,
  html,
  epub,
  email,
  // Text of some kind.
  markdown,
  csv,
  json,
  sourceCode,
  // Whatever else is text.
  plainText,
];
