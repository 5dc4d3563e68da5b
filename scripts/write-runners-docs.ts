import { readFileSync, writeFileSync } from 'node:fs';
import { createRunners } from '../server/src/runners/index.ts';

/*
 * The table of docs/runners.md. To add a runner, give it an object in docs/runners.json under its name, with every key of
 * `capabilities` below: for what it can do, the file of the test that shows it and perhaps a remark, else a text that
 * begins with "no" and says why. Then `npm run docs`. The rest of the page is written by hand.
 */

/** What a runner may be capable of, in the order of the columns. */
export const capabilities = {
  streaming: 'streaming',
  memory: 'conversation memory',
  images_in: 'images in',
  files_in: 'files in',
  files_out: 'files out',
  usage: 'usage',
  tools: 'tools',
} as const;

type Capability = keyof typeof capabilities;
/** The test that shows it; or why there is none. */
type Shown = { file: string; note?: string } | string;

export const runnerCapabilities = JSON.parse(
  readFileSync(new URL('../docs/runners.json', import.meta.url), 'utf8'),
) as Record<string, Record<Capability, Shown>>;

/** Where the page is. */
export const runnersDocsFile = new URL('../docs/runners.md', import.meta.url);

const begin = '<!-- Table made by scripts/write-runners-docs.ts from docs/runners.json; do not edit. -->';
const end = '<!-- End of the table. -->';

/** Every built-in runner, in the order in which they are made. */
export const installedRunners = createRunners({ modelTimeoutMilliseconds: 1 });

/** The page with its table written anew. @throws when it has no place for the table */
export function runnersDocs(page: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error('docs/runners.md has no place for the table');
  return `${before}${begin}\n\n${table()}\n\n${end}${after}`;
}

function table(): string {
  const columns = Object.keys(capabilities) as Capability[];
  const rows = installedRunners.map(({ name, label }) => {
    const cells = columns.map((column) => cell(runnerCapabilities[name]?.[column]));
    return `| ${[`${label.en_US}, \`${name}\``, ...cells].join(' | ')} |`;
  });
  const head = ['runner', ...Object.values(capabilities)];
  return [`| ${head.join(' | ')} |`, `|${head.map(() => '---|').join('')}`, ...rows].join('\n');
}

function cell(shown: Shown | undefined): string {
  if (shown === undefined || typeof shown === 'string') return shown ?? '';
  const { file, note } = shown;
  return `[yes](../${file})${note === undefined ? '' : `: ${note}`}`;
}

if (import.meta.main) writeFileSync(runnersDocsFile, runnersDocs(readFileSync(runnersDocsFile, 'utf8')));
