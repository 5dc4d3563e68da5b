/** What a new project has for a kind of contribution: parts of its files, as they are written. */
export interface ProjectKind {
  /** The entry of `contributes` in `manifest.ts`. */
  contributes: string;
  permissions?: string;
  /** The handler in `main.ts`. */
  handler: string;
  /** The part of `samples.ts`. */
  samples: string;
  /** Other files, by path. */
  files?: Readonly<Record<string, string>>;
}

/** Named as `--kind` is. */
export const projectKinds: Readonly<Record<string, ProjectKind>> = {
  tool: {
    contributes: `tools: [
      {
        name: 'shout',
        description: 'Writes a text in capital letters.',
        parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      },
    ],`,
    handler: `tools: {
    shout: ({ text }) => shout(text),
  },`,
    samples: `tools: { shout: [{ parameters: { text: 'hello' }, answer: 'HELLO' }] },`,
  },
  command: {
    contributes: `commands: [{ name: 'shout', usage: '<text>', description: 'Writes a text in capital letters.' }],`,
    handler: `commands: {
    shout: ({ parameters }) => shout(parameters.join(' ')),
  },`,
    samples: `commands: { shout: [{ parameters: ['hello'], answer: 'HELLO' }] },`,
  },
  listener: {
    contributes: `listeners: [{ point: 'answer' }],`,
    handler: `listeners: {
    // Called with each answer before it is sent. Returning nothing lets it pass as it is.
    answer: ({ message_chain }) => ({
      action: 'change',
      message_chain: message_chain.map((element) =>
        element.type === 'Plain' ? { ...element, text: shout(element.text) } : element,
      ),
    }),
  },`,
    samples: `messages: ['hello'],`,
  },
  parser: {
    contributes: `parsers: [
      {
        label: { en_US: 'Lines' },
        description: { en_US: 'Reads each line of a file as a paragraph.' },
        media_types: ['text/x-lines'],
        extensions: ['lines'],
      },
    ],`,
    handler: `parser: ({ bytes }) => {
    const lines = new TextDecoder().decode(bytes).split(/\\r?\\n/).filter((line) => line.trim() !== '');
    const blocks = lines.map((line) => ({ type: 'paragraph' as const, text: shout(line) }));
    return { title: null, blocks, page_kind: null, pages: [], warnings: [] };
  },`,
    samples: `files: ['samples/example.lines'],`,
    files: { 'samples/example.lines': 'The first line\nThe second line\n' },
  },
  engine: {
    contributes: `engines: [
      {
        label: { en_US: 'Word search' },
        description: { en_US: 'Finds paragraphs by a part of their text.' },
        capabilities: ['doc_ingestion'],
        creation_schema: { type: 'object', properties: {} },
        retrieval_schema: {
          type: 'object',
          properties: { top_k: { type: 'integer', default: 5, minimum: 1, maximum: 50 } },
        },
      },
    ],`,
    permissions: `storage: true,`,
    handler: `engine: {
    open: () => undefined,
    drop: async ({ collection_id }, { host: { storage } }) => {
      for (const key of await storage.keys(\`\${collection_id}/\`)) await storage.delete(key);
    },
    ingest: async ({ collection, document, parsed }, { host }) => {
      const texts = (parsed?.blocks ?? []).flatMap((block) => ('text' in block ? [block.text] : []));
      await host.storage.set(\`\${collection.collection_id}/\${document.document_id}\`, texts);
      return { chunks: texts.length };
    },
    remove: async ({ collection_id }, documentId, { host }) => {
      await host.storage.delete(\`\${collection_id}/\${documentId}\`);
    },
    retrieve: async ({ collection, query, settings }, { host: { storage } }) => {
      const passages: RetrievedPassage[] = [];
      for (const key of await storage.keys(\`\${collection.collection_id}/\`)) {
        const texts = (await storage.get(key)) as string[];
        for (const [index, text] of texts.entries()) {
          if (!shout(text).includes(shout(query))) continue;
          passages.push({ id: \`\${key}/\${index}\`, text, distance: 0, score: null, source: null, legs: {}, metadata: {} });
        }
      }
      return passages.slice(0, settings.top_k);
    },
  },`,
    samples: `documents: ['Bread is baked in an oven.', 'A lighthouse stands on a rock.'],
  queries: [{ query: 'Lighthouse', passage: 'stands on a rock' }],`,
  },
  runner: {
    contributes: `runners: [{ name: 'shout', label: { en_US: 'Shout' } }],`,
    handler: `runners: {
    shout: async function* ({ text }) {
      for (const word of text.split(' ')) yield { type: 'text', text: \`\${shout(word)} \` };
    },
  },`,
    samples: `messages: ['hello there'],`,
  },
  page: {
    contributes: `pages: [{ name: 'shout', label: { en_US: 'Shout' }, path: 'pages/shout/index.html' }],`,
    handler: `pages: {
    shout: ({ body }) => ({ text: shout(String(body)) }),
  },`,
    samples: `messages: [],`,
    files: {
      'pages/shout/index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Shout</title>
    <script type="module" src="index.js"></script>
  </head>
  <body>
    <label>Text <input id="text" /></label>
    <button id="shout" type="button">Shout</button>
    <output id="output"></output>
  </body>
</html>
`,
      'pages/shout/index.ts': `import { openPluginPage } from '@parley/sdk/page';

// Packed as index.js, which the page loads.
const page = await openPluginPage();
document.documentElement.style.colorScheme = page.theme;
page.onLook(({ theme }) => {
  document.documentElement.style.colorScheme = theme;
});
const input = document.querySelector<HTMLInputElement>('#text');
const output = document.querySelector('output');
// The sandbox of a page sends no forms.
document.querySelector('#shout')?.addEventListener('click', async () => {
  const { text } = (await page.call('shout', { method: 'POST', body: input?.value ?? '' })) as { text: string };
  if (output !== null) output.textContent = text;
});
`,
    },
  },
  schedule: {
    contributes: `schedules: [{ name: 'daily', label: { en_US: 'Every morning' }, cron: '0 8 * * *', time_zone: 'UTC' }],`,
    handler: `schedules: {
    daily: ({ due_at }, { host }) => host.log('info', shout(\`due at \${due_at}\`)),
  },`,
    samples: `messages: [],`,
  },
};
