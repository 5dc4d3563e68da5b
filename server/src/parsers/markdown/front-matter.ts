import { parseDocument } from 'yaml';

const longestFrontMatter = 100_000;

/** Metadata at the start of a file, between lines of dashes (YAML) or plus signs (TOML). */
export function frontMatterOf(text: string): { title: string | null; body: string } {
  const found = /^(---|\+\+\+)[ \t]*\n([\s\S]*?)^(?:\1|\.\.\.)[ \t]*(?:\n|$)/m.exec(text.slice(0, longestFrontMatter));
  // Dashes may as well be a line across the page.
  if (found === null || found.index !== 0 || !/^[\w"'-]+\s*[:=]/m.test(found[2] ?? ''))
    return { title: null, body: text };
  return { title: titleOf(found[2] ?? '', found[1] === '---'), body: text.slice(found[0].length) };
}

function titleOf(data: string, isYaml: boolean): string | null {
  if (!isYaml) return /^title\s*=\s*(["'])(.*)\1\s*$/m.exec(data)?.[2] ?? null;
  const title = parseDocument(data).get('title');
  return typeof title === 'string' || typeof title === 'number' ? String(title) : null;
}
