import { useEffect, useRef } from 'react';

/** How many inputs have, or had when they were last shown, which text. */
const counts = new Map<string, number>();

/** Texts of secret inputs, masks of stored ones included. They are never written to browser storage. */
export const secretTexts = {
  has: (text: string) => counts.has(text),
  /** Whether a text contains one of them. */
  isPartOf: (text: string) => [...counts.keys()].some((secret) => text.includes(secret)),
  add(text: string) {
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
  },
  /** For signing out. */
  clear: () => counts.clear(),
  remove(text: string) {
    const count = counts.get(text) ?? 0;
    if (count > 1) counts.set(text, count - 1);
    else counts.delete(text);
  },
};

/** Names the texts of an input as secret, also after the input is gone: the form may still have them. */
export function useSecretTexts(texts: readonly string[]): void {
  const named = useRef<readonly string[]>([]);
  useEffect(() => {
    for (const text of texts) secretTexts.add(text);
    for (const text of named.current) secretTexts.remove(text);
    named.current = texts;
  });
}
