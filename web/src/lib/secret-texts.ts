import { useEffect, useRef } from 'react';

/** How many inputs have, or had when they were last shown, which text. */
const counts = new Map<string, number>();

/** Texts of secret inputs, masks of stored ones included. They are never written to browser storage. */
export const secretTexts = {
  has: (text: string) => counts.has(text),
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

/** Names the text of an input as secret, also after the input is gone: the form may still have it. */
export function useSecretText(text: string): void {
  const named = useRef('');
  useEffect(() => {
    if (named.current === text) return;
    secretTexts.add(text);
    secretTexts.remove(named.current);
    named.current = text;
  }, [text]);
}
