/** A text of the server, whose parts between backticks are code. */
export function InlineCode({ text }: { text: string }) {
  // The text is split at backticks, so that every second part is code.
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
      <code key={index} className="rounded bg-muted px-1 py-0.5 text-[0.9em] text-foreground">
        {part}
      </code>
    ),
  );
}
