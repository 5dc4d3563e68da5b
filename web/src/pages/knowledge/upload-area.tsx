import { useQueryClient } from '@tanstack/react-query';
import { Upload as UploadIcon } from 'lucide-react';
import { type DragEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonVariants } from '../../components/ui/button.tsx';
import { classNames } from '../../lib/class-names.ts';
import { UploadList } from './upload-list.tsx';
import { uploadQueue } from './upload-queue.ts';

/** Uploads files by drop or selection, and shows their progress. */
export function UploadArea({ base }: { base: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isOver, setOver] = useState(false);
  const { uploads, attached } = useSyncExternalStore(uploadQueue.subscribe, () => uploadQueue.of(base));

  useEffect(() => {
    if (attached === 0) return;
    void queries.invalidateQueries({ queryKey: ['knowledge', base] });
    void queries.invalidateQueries({ queryKey: ['knowledge', 'page'] });
  }, [queries, base, attached]);

  const drag = (event: DragEvent, over: boolean) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(over);
  };

  return (
    <div className="mb-6 space-y-3">
      {/* Dropping is a second way; the button inside is there for everybody. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only takes what is dropped */}
      <div
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={(event) => {
          drag(event, false);
          uploadQueue.add(base, [...event.dataTransfer.files]);
        }}
        className={classNames(
          'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-2xl border border-dashed border-input bg-card p-4 transition-colors',
          isOver && 'border-primary bg-bubble',
        )}
      >
        <UploadIcon aria-hidden className="size-6 shrink-0 text-muted-foreground max-sm:hidden" />
        <div className="min-w-0 flex-1 basis-60">
          <p className="font-medium">{t('knowledge.drop')}</p>
          <p id="upload-help" className="text-sm text-pretty text-muted-foreground">
            {t('knowledge.dropHelp')}
          </p>
        </div>
        <label
          className={classNames(
            buttonVariants({ size: 'medium' }),
            'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
          )}
        >
          <input
            type="file"
            multiple
            aria-describedby="upload-help"
            className="sr-only"
            onChange={(event) => {
              uploadQueue.add(base, [...(event.target.files ?? [])]);
              // The same file may be selected again.
              event.target.value = '';
            }}
          />
          {t('knowledge.chooseFiles')}
        </label>
      </div>
      <UploadList base={base} uploads={uploads} />
    </div>
  );
}
