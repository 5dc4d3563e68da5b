import { Download } from 'lucide-react';
import { saveText } from '../lib/save-file.ts';
import { Button } from './ui/button.tsx';

interface DownloadButtonProps {
  label: string;
  /** Name of the file. */
  name: string;
  /** Returns the content, at the click. */
  text: () => string;
}

/** Downloads a text as a file. */
export function DownloadButton({ label, name, text }: DownloadButtonProps) {
  return (
    <Button variant="ghost" size="small" onClick={() => saveText(text(), name)}>
      <Download aria-hidden />
      {label}
    </Button>
  );
}
