import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './ui/button.tsx';

interface CopyButtonProps {
  /** Returns the text to copy, at the click. */
  text: () => string;
  label: string;
  copiedLabel: string;
  /** Shows only the icon; the label is for screen readers and the tooltip. */
  iconOnly?: boolean;
  className?: string;
}

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, label, copiedLabel, iconOnly = false, className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  const current = copied ? copiedLabel : label;
  return (
    <Button
      variant="ghost"
      size="small"
      className={className}
      aria-label={current}
      title={iconOnly ? current : undefined}
      onClick={async () => setCopied(await copy(text()))}
    >
      {copied ? <Check aria-hidden className="text-primary" /> : <Copy aria-hidden />}
      {!iconOnly && current}
    </Button>
  );
}

/** The clipboard API exists only on secure origins and may be forbidden; the old command mostly still works. */
async function copy(text: string): Promise<boolean> {
  const written = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (written) return true;
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}
