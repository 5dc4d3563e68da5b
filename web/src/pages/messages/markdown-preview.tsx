import { useMemo } from 'react';
import { markdownPreview } from '../../lib/markdown-text.ts';

interface MarkdownPreviewProps {
  text: string;
  /** Characters. */
  longest: number;
}

/** The start of Markdown as text in one line. */
export function MarkdownPreview({ text, longest }: MarkdownPreviewProps) {
  return useMemo(() => markdownPreview(text, longest), [text, longest]);
}
