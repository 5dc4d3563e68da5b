import { ParleyError } from '../src/errors.ts';
import type { ModuleParser, Parse } from '../src/parser.ts';

/**
 * A parser for a test format: each line is a paragraph, one that starts with `# ` a heading, a form feed starts a page.
 * It rejects the text `broken`.
 */
export const fakeParser: ModuleParser = {
  plugin_id: 'tests/lines',
  name: { en_US: 'Lines' },
  description: { en_US: 'Reads one paragraph from each line.' },
  media_types: ['text/x-lines'],
  extensions: ['lines'],
  module: import.meta.url,
};

/** The implementation of {@link fakeParser}. */
export const parse: Parse = async (file, context) => {
  const text = new TextDecoder().decode(file.bytes);
  if (text.includes('broken')) throw new ParleyError('document_broken', 'The file is marked as broken.');
  const pages = text.split('\f');
  if (text.trim().length > context.maximumCharacters || pages.length > context.maximumPages) {
    throw new ParleyError('document_too_complex', 'The file exceeds the limit.');
  }
  const blocks = pages.flatMap((content, index) => {
    context.progress(index + 1, pages.length);
    return content
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && line !== '#')
      .map((line) =>
        line.startsWith('# ')
          ? { page: index + 1, type: 'heading' as const, level: 1, text: line.slice(2).trim() }
          : { page: index + 1, type: 'paragraph' as const, text: line },
      );
  });
  return {
    title: blocks.find(({ type }) => type === 'heading')?.text ?? null,
    blocks,
    page_kind: 'page',
    pages: pages.map((content, index) => ({ number: index + 1, characters: content.trim().length })),
    warnings: [],
  };
};
