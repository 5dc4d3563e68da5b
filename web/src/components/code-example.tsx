import { CopyButton } from './copy-button.tsx';

interface CodeExampleProps {
  /** Its purpose. */
  label: string;
  code: string;
  copyLabel: string;
  copiedLabel: string;
}

/** A code example to copy. */
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
