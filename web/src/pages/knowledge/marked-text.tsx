import { useMemo } from 'react';
import { markWords } from './mark-words.ts';

/** A text with the words of a query highlighted. */
export function MarkedText({ text, question }: { text: string; question: string }) {
  const pieces = useMemo(() => markWords(text, question), [text, question]);
  return (
    <p className="text-[0.94rem] leading-relaxed break-words whitespace-pre-wrap">
      {pieces.map(({ text: piece, isMarked }, index) =>
        isMarked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity than their place
          <mark key={index} className="rounded bg-notice-soft px-0.5 font-medium text-notice">
            {piece}
          </mark>
        ) : (
          piece
        ),
      )}
    </p>
  );
}
