import { type ReactNode, useEffect } from 'react';
import { CopyButton } from './copy-button.tsx';

interface OnceSecretProps {
  label: string;
  secret: string;
  copyLabel: string;
  copiedLabel: string;
  /** Next to the copy button. */
  actions?: ReactNode;
}

/** A secret that is shown only once. Leaving the page asks for confirmation. */
export function OnceSecret({ label, secret, copyLabel, copiedLabel, actions }: OnceSecretProps) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return (
    <div className="rounded-xl border border-dashed border-input bg-muted p-4">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-2">
        <span className="text-sm font-medium text-muted-foreground">{label}</span>
        <div className="ml-auto flex items-center">
          <CopyButton text={() => secret} label={copyLabel} copiedLabel={copiedLabel} />
          {actions}
        </div>
      </div>
      <code data-secret="" className="block font-mono leading-relaxed break-all select-all">
        {secret}
      </code>
    </div>
  );
}
