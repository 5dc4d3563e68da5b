import { ParleyError, type ParsedDocument, type ParserContext, type ParserFile } from '@parley/sdk';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { withoutVastGaps } from '../../kit/blank-lines.ts';
import { DocumentDraft, type DraftBlock, documentFault, tidyLine } from '../../kit/document-draft.ts';
import { htmlBlocks, htmlTree } from '../../kit/html-blocks.ts';

/** One of them is in every message that was sent. */
const defaultHeaders = ['from', 'to', 'subject', 'date', 'message-id', 'received', 'mime-version'];
const deepestNesting = 50;

/** Nothing but bytes of white space, also of that which takes several of them in UTF-8. */
const blankLine = /^[\s\x80-\xa0\xa8\xa9\xaf\xc2\xe1-\xe3]*$/;

export async function parse(file: ParserFile, context: ParserContext): Promise<ParsedDocument> {
  try {
    // Byte by byte, since each part has its own encoding.
    const text = withoutVastGaps(Buffer.from(file.bytes).toString('latin1'), (line) => blankLine.test(line));
    const email = await PostalMime.parse(Buffer.from(text, 'latin1'), { maxNestingDepth: deepestNesting });
    return read(email, context);
  } catch (error) {
    const isTooDeep = error instanceof Error && /nesting depth|header size/i.test(error.message);
    throw documentFault(
      error,
      isTooDeep ? 'Too many parts of the e-mail lie in each other.' : 'The e-mail is damaged.',
      isTooDeep ? 'document_too_complex' : 'document_broken',
    );
  }
}

function read(email: Email, context: ParserContext): ParsedDocument {
  if (!email.headers.some(({ key }) => defaultHeaders.includes(key)))
    throw new ParleyError('document_broken', 'The file is not an e-mail: it has neither a sender nor a subject.');
  const draft = new DocumentDraft(context);
  const subject = tidyLine(email.subject ?? '');
  draft.add({ type: 'heading', level: 1, text: subject });
  for (const line of headerLines(email)) draft.add({ type: 'paragraph', text: line });

  const before = draft.characters;
  if (email.html !== undefined) htmlBlocks(htmlTree(email.html), (block) => draft.add(block));
  if (draft.characters === before) for (const block of textBlocks(email.text ?? '')) draft.add(block);
  if (draft.characters === before && isEncrypted(email))
    throw new ParleyError('document_encrypted', 'The e-mail is encrypted; only its recipients can read it.');

  for (const attachment of email.attachments) readAttachment(draft, attachment);
  return draft.finish(subject, null);
}

function headerLines({ from, to, cc, date }: Email): string[] {
  const lines: [name: string, value: string][] = [
    ['From', from === undefined ? '' : addressText(from)],
    ['To', (to ?? []).map(addressText).join(', ')],
    ['Cc', (cc ?? []).map(addressText).join(', ')],
    ['Date', dateText(date)],
  ];
  return lines.filter(([, value]) => value.trim() !== '').map(([name, value]) => `${name}: ${value}`);
}

function addressText({ name, address, group }: Address): string {
  if (group !== undefined) return `${name}: ${group.map(addressText).join(', ')}`;
  return name === '' ? (address ?? '') : `${name} <${address}>`;
}

/** `2026-04-30 12:00 UTC`; the original text if it is not a valid date. */
function dateText(date: string | undefined): string {
  const parsed = new Date(date ?? '');
  return Number.isNaN(parsed.getTime()) ? (date ?? '') : `${parsed.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function textBlocks(text: string): DraftBlock[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n(?:[ \t]*\n)+/)
    .map((part) => ({ type: 'paragraph', text: part }));
}

function readAttachment(draft: DocumentDraft, { filename, mimeType, content, related, contentId }: Attachment): void {
  const name = tidyLine(filename ?? '') || 'without a name';
  const text = /^text\/(?:html|plain|markdown|csv)$/.test(mimeType) ? decode(content) : null;
  if (text !== null) {
    draft.add({ type: 'heading', level: 2, text: name });
    if (mimeType === 'text/html') htmlBlocks(htmlTree(text), (block) => draft.add(block));
    else for (const block of textBlocks(text)) draft.add(block);
    return;
  }
  // Inline images such as signatures do not count as attachments.
  if (mimeType.startsWith('image/') && (related || contentId !== undefined)) return;
  draft.warn(`The attachment “${name}” was not read; upload it as a separate file.`);
}

function decode(content: ArrayBuffer | Uint8Array | string): string {
  if (typeof content === 'string') return content;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return new TextDecoder('windows-1252').decode(content);
  }
}

function isEncrypted({ headers, attachments }: Email): boolean {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  return (
    /multipart\/encrypted|pkcs7-mime/i.test(type) || attachments.some(({ mimeType }) => /pkcs7-mime/.test(mimeType))
  );
}
