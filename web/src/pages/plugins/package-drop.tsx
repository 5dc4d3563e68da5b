import { Package } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonVariants } from '../../components/ui/button.tsx';
import { classNames } from '../../lib/class-names.ts';

interface PackageDropProps {
  onChoose: (file: File) => void;
  isBusy: boolean;
}

/** Takes a package that is dropped or chosen. */
export function PackageDrop({ onChoose, isBusy }: PackageDropProps) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const drag = (event: DragEvent, over: boolean) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(over);
  };
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined && !isBusy) onChoose(file);
  };
  return (
    // Dropping is a second way; the button inside is there for everybody.
    // biome-ignore lint/a11y/noStaticElementInteractions: it only takes what is dropped
    <div
      data-drop="package"
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
      className={classNames(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-2xl border border-dashed border-input bg-card p-5 transition-colors',
        isOver && 'border-primary bg-bubble',
      )}
    >
      <Package aria-hidden className="size-6 shrink-0 text-muted-foreground max-sm:hidden" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">{t('plugins.drop')}</p>
        <p id="package-help" className="text-sm text-pretty text-muted-foreground">
          {t('plugins.dropHelp')}
        </p>
      </div>
      <label
        className={classNames(
          buttonVariants({ size: 'medium' }),
          'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
          isBusy && 'opacity-50',
        )}
      >
        <input
          type="file"
          accept=".zip,.lbpkg,application/zip"
          aria-describedby="package-help"
          className="sr-only"
          disabled={isBusy}
          onChange={(event) => {
            take(event.target.files);
            // The same file may be selected again.
            event.target.value = '';
          }}
        />
        {t('plugins.chooseFile')}
      </label>
    </div>
  );
}
