import { CopyButton } from './copy-button.tsx';

interface CodeExampleProps {
  /** What it is for. */
  label: string;
  code: string;
  copyLabel: string;
  copiedLabel: string;
}

/** A few lines to be copied into a terminal or a program. */
export function CodeExample({ label, code, copyLabel, copiedLabel }: CodeExampleProps) {
  return (
    <figure className="rounded-xl border bg-card">
      <figcaption className="flex items-center justify-between gap-2 border-b py-1 pr-1.5 pl-4 text-sm font-medium">
        {label}
        <CopyButton iconOnly text={() => code} label={copyLabel} copiedLabel={copiedLabel} />
      </figcaption>
      <pre className="p-4 text-sm wrap-anywhere whitespace-pre-wrap">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
