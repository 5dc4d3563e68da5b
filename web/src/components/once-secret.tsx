import { useEffect } from 'react';
import { CopyButton } from './copy-button.tsx';

interface OnceSecretProps {
  label: string;
  secret: string;
  copyLabel: string;
  copiedLabel: string;
}

/** A secret that is shown only once. Leaving the page asks for confirmation. */
export function OnceSecret({ label, secret, copyLabel, copiedLabel }: OnceSecretProps) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return (
    <div className="rounded-xl border border-dashed border-input bg-muted p-4">
      <div className="mb-1 flex items-center justify-between gap-2">
        <span className="text-sm font-medium text-muted-foreground">{label}</span>
        <CopyButton text={() => secret} label={copyLabel} copiedLabel={copiedLabel} />
      </div>
      <code data-secret="" className="block font-mono leading-relaxed break-all select-all">
        {secret}
      </code>
    </div>
  );
}
