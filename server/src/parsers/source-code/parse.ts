import type { ParsedDocument, ParserContext, ParserFile } from '@parley/sdk';
import { withoutVastGaps } from '../../kit/blank-lines.ts';
import { decodeText } from '../../kit/decode-text.ts';
import { DocumentDraft } from '../../kit/document-draft.ts';
import { languages } from './languages.ts';
import { splitCode } from './split-code.ts';

export async function parse(file: ParserFile, context: ParserContext): Promise<ParsedDocument> {
  const draft = new DocumentDraft(context);
  const { text, warning } = decodeText(file.bytes);
  if (warning !== null) draft.warn(warning);
  const language = languages[file.extension] ?? languageOf(file.media_type);
  for (const part of splitCode(withoutVastGaps(text))) {
    draft.add({ type: 'code', text: part, ...(language === undefined ? {} : { language }) });
  }
  context.progress(1, 1);
  return draft.finish(null, null);
}

/** `text/x-python`, `application/javascript` */
function languageOf(mediaType: string): string | undefined {
  const name = /\/(?:x-)?([a-z]+)/.exec(mediaType)?.[1];
  return Object.values(languages).find((language) => language === name);
}
