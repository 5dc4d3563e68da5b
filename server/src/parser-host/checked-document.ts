import { ParleyError, type ParsedDocument } from '@parley/sdk';
import Type from 'typebox';
import { Check, Errors } from 'typebox/value';
import type { DocumentLimits } from './thread-messages.ts';

const Text = Type.String({ minLength: 1 });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const page = Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));
const closed = { additionalProperties: false } as const;

const Block = Type.Union([
  Type.Object(
    { type: Type.Literal('heading'), level: Type.Integer({ minimum: 1, maximum: 6 }), text: Text, page },
    closed,
  ),
  Type.Object({ type: Type.Enum(['paragraph', 'list-item']), text: Text, page }, closed),
  Type.Object(
    { type: Type.Literal('table'), head: Type.Boolean(), rows: Type.Array(Type.Array(Type.String())), page },
    closed,
  ),
  Type.Object({ type: Type.Literal('code'), text: Text, language: Type.Optional(Type.String()), page }, closed),
]);

const Page = Type.Object(
  {
    number: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    name: Type.Optional(Type.String()),
    characters: Count,
    note: Type.Optional(Type.String()),
  },
  closed,
);

/** A {@link ParsedDocument}. */
const Document = Type.Object(
  {
    title: Type.Union([Type.String(), Type.Null()]),
    blocks: Type.Array(Block),
    page_kind: Type.Union([Type.Enum(['page', 'slide', 'sheet', 'chapter']), Type.Null()]),
    pages: Type.Array(Page),
    warnings: Type.Array(Type.String()),
  },
  closed,
);

/**
 * The result of a parser elsewhere, which knows the limits but need not keep them.
 * @throws ParleyError `document_too_complex`
 * @throws TypeError naming the first field when it is no document
 */
export function checkedDocument(result: unknown, limits: DocumentLimits): ParsedDocument {
  if (!Check(Document, result)) {
    const [first] = Errors(Document, result);
    throw new TypeError(`the parser returned no document: ${first?.instancePath || '/'} ${first?.message}`);
  }
  const { maximumPages, maximumCharacters } = limits;
  if (result.pages.length > maximumPages) {
    throw new ParleyError('document_too_complex', `The document has more than ${maximumPages} pages.`);
  }
  const characters = result.blocks.reduce((sum, block) => sum + charactersOf(block), 0);
  if (characters > maximumCharacters) {
    const message = `The document has more than ${maximumCharacters} characters of text, which is more than is read.`;
    throw new ParleyError('document_too_complex', message);
  }
  return result;
}

function charactersOf(block: Type.Static<typeof Block>): number {
  if (block.type !== 'table') return block.text.length;
  return block.rows.reduce((sum, row) => sum + row.reduce((inRow, cell) => inRow + cell.length, 0), 0);
}
