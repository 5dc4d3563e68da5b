/** A parser: reads the notes of a kitchen, where a line that begins with `*` names a dish. */
import { type DocumentBlock, type ModuleParser, ParleyError, type Parse } from '@parley/sdk';

export const kitchenNotes: ModuleParser = {
  plugin_id: 'example/kitchen-notes',
  name: { en_US: 'Kitchen notes', zh_Hans: '厨房笔记', ja_JP: 'キッチンメモ' },
  description: {
    en_US: 'Reads dishes and what is said of them.',
    zh_Hans: '读取菜品及其说明。',
    ja_JP: '料理と、その説明を読み取ります。',
  },
  media_types: ['text/x-kitchen-notes'],
  extensions: ['kitchen'],
  // Loaded in a worker thread when a document comes. It may be another file, if that imports something heavy.
  module: import.meta.url,
};

export const parse: Parse = async ({ bytes }, { maximumCharacters }) => {
  const text = new TextDecoder().decode(bytes);
  if (text.includes('\0')) throw new ParleyError('document_broken', 'The file is not a text');
  if (text.length > maximumCharacters) throw new ParleyError('document_too_complex', 'The text is too long');
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const blocks = lines.map((line): DocumentBlock => {
    const dish = /^\*\s*(.+)$/.exec(line)?.[1];
    return dish === undefined
      ? { type: 'paragraph', text: line.trim() }
      : { type: 'heading', level: 1, text: dish.trim() };
  });
  return { title: null, blocks, page_kind: null, pages: [], warnings: [] };
};
