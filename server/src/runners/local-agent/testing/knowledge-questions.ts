import type { KnowledgePassage, RunnerContext } from '@parley/sdk';

/** A `retrieve` that always finds these passages. */
export function finding(...passages: KnowledgePassage[]): RunnerContext['retrieve'] {
  return async () => ({ passages, failures: [] });
}

/** The passages in a prompt, by number, with the attributes of their tags. */
export function promptPassages(prompt: string): { number: number; attributes: string; text: string }[] {
  const mark = /<knowledge-([0-9a-f]{10})>/.exec(prompt)?.[1];
  if (mark === undefined) return [];
  const passage = new RegExp(`<passage-${mark} number="(\\d+)"([^>]*)>\\n([\\s\\S]*?)\\n</passage-${mark}>`, 'g');
  return [...prompt.matchAll(passage)].map(([, number, attributes = '', text = '']) => ({
    number: Number(number),
    attributes: attributes.trim(),
    text,
  }));
}
