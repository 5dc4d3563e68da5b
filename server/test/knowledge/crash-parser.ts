import type { Parse } from '@parley/sdk';

/** Reads lines as paragraphs; where the test wants it, it never comes to an end with `parsing.crash`. */
export const parse: Parse = async (file, context) => {
  context.progress(1, 2);
  if (file.name === 'parsing.crash' && process.env.TEST_PAUSE_AT === 'parsing') {
    await new Promise((resolve) => setInterval(() => resolve, 1000));
  }
  const lines = new TextDecoder().decode(file.bytes).split('\n').filter(Boolean);
  return {
    ...{ title: null, page_kind: null, pages: [], warnings: [] },
    blocks: lines.map((text) => ({ type: 'paragraph', text })),
  };
};
