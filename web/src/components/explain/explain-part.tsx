import type { ReactNode } from 'react';

interface ExplainPartProps {
  title: string;
  /** Number of items. */
  count?: number | undefined;
  text?: string | undefined;
  children: ReactNode;
}

/** A section of the trace. */
export function ExplainPart({ title, count, text, children }: ExplainPartProps) {
  return (
    <section>
      <h3 className="flex items-baseline gap-2 text-sm font-semibold">
        {title}
        {count !== undefined && count > 1 && (
          <span className="font-normal text-muted-foreground tabular-nums">{count}</span>
        )}
      </h3>
      {text && <p className="mt-0.5 text-xs text-muted-foreground">{text}</p>}
      <div className="mt-2.5">{children}</div>
    </section>
  );
}

/** Shown instead of an empty section. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="text-sm text-muted-foreground">{children}</p>;
}

/** Names and values side by side, as many as fit on a line. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs">
      {facts.map(([name, value]) => (
        <div key={name} className="flex min-w-0 gap-1.5">
          <dt className="shrink-0 text-muted-foreground">{name}</dt>
          <dd className="min-w-0 break-words tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Preformatted text in a scrollable box. */
export function RawText({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="mb-1 text-xs text-muted-foreground">{label}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
      <section aria-label={label} tabIndex={0} className="max-h-48 overflow-auto rounded-lg bg-muted px-3 py-2">
        <pre className="font-mono text-xs break-words whitespace-pre-wrap">{text}</pre>
      </section>
    </div>
  );
}
