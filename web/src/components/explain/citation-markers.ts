import type { Element, ElementContent, Root, RootContent } from 'hast';
import type { CitedSource } from './passage.ts';

/** The attribute of a `cite` element with the number of a citation. */
export const citedNumber = 'data-citation';

/** Parts of an answer in which nothing is a citation. */
const untouched = new Set(['a', 'code', 'pre', 'cite']);
/** As the server shortens and cleans the names of files in the list of sources. */
const longestName = 200;

/**
 * A rehype plugin that turns `[1]` into a `cite` element if the answer has a source of this number, with the name that
 * follows it in the list of sources. The text itself decides nothing: a number without a source stays as it is.
 */
export function citationMarkers(sources: readonly CitedSource[]) {
  const names = new Map(sources.map(({ number, file_name }) => [number, listedName(file_name)]));
  return () => (tree: Root) => {
    tree.children = marked(tree.children, names);
  };
}

function marked<Node extends RootContent | ElementContent>(
  nodes: readonly Node[],
  names: ReadonlyMap<number, string>,
): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (node.type === 'text') return markedText(node.value, names) as Node[];
    if (node.type === 'element' && !untouched.has(node.tagName)) node.children = marked(node.children, names);
    return [node];
  });
}

function markedText(text: string, names: ReadonlyMap<number, string>): ElementContent[] {
  const parts: ElementContent[] = [];
  let place = 0;
  for (const found of text.matchAll(/\[([1-9]\d{0,2})\]/g)) {
    const name = names.get(Number(found[1]));
    if (name === undefined) continue;
    if (found.index > place) parts.push({ type: 'text', value: text.slice(place, found.index) });
    const end = found.index + found[0].length;
    const isListed = name !== '' && /(^|\n)$/.test(text.slice(0, found.index)) && text.startsWith(` ${name}`, end);
    place = isListed ? end + 1 + name.length : end;
    parts.push(citation(Number(found[1]), text.slice(found.index, place)));
  }
  if (place < text.length) parts.push({ type: 'text', value: text.slice(place) });
  return parts;
}

function citation(number: number, text: string): Element {
  return {
    type: 'element',
    tagName: 'cite',
    properties: { [citedNumber]: String(number) },
    children: [{ type: 'text', value: text }],
  };
}

function listedName(fileName: string): string {
  const line = fileName
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return line.slice(0, longestName).replaceAll(/[[\]<>]/g, '_');
}
