import { FileText, Image as ImageIcon, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../lib/error-text.ts';
import { fileSize } from '../../lib/file-size.ts';
import type { ChatFile } from './message-parts.ts';
import type { PendingAttachment } from './use-attachments.ts';

interface AttachmentListProps {
  attachments: readonly PendingAttachment[];
  onRemove: (id: number) => void;
}

/** The files of a message that is being written, with their progress and errors. */
export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  const { t, i18n } = useTranslation();
  return (
    <ul aria-label={t('chat.attachments')} className="flex max-h-40 flex-wrap gap-2 overflow-y-auto px-1.5 pt-1.5 pb-2">
      {attachments.map(({ id, name, size, progress, stored, error }) => (
        <li
          key={id}
          className="flex max-w-full items-center gap-2 rounded-xl border bg-muted py-1 pr-1 pl-2.5 text-sm"
          data-failed={error !== undefined}
        >
          {stored?.is_image ? (
            <ImageIcon aria-hidden className="size-4 shrink-0" />
          ) : (
            <FileText aria-hidden className="size-4 shrink-0" />
          )}
          <span className="min-w-0">
            <span className="block max-w-56 truncate">{name}</span>
            {error === undefined ? (
              <span className="block text-xs text-muted-foreground">
                {stored === undefined
                  ? t('chat.uploading', { percent: Math.round(progress * 100) })
                  : fileSize(size, i18n.language)}
              </span>
            ) : (
              <span role="alert" className="block text-xs text-destructive">
                {error === 'too_large' ? t('chat.fileTooLarge') : errorText(error, t)}
              </span>
            )}
          </span>
          <button
            type="button"
            aria-label={t('chat.removeNamed', { text: name })}
            title={t('chat.remove')}
            onClick={() => onRemove(id)}
            className="grid size-7 shrink-0 place-items-center rounded-lg hover:bg-background"
          >
            <X aria-hidden className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The files of a sent message. */
export function FileNames({ files }: { files: readonly ChatFile[] }) {
  const { t, i18n } = useTranslation();
  return (
    <ul aria-label={t('chat.attachments')} className="flex max-w-full flex-wrap justify-end gap-2">
      {files.map(({ name, size }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and nothing moves
          key={index}
          className="flex max-w-full items-center gap-2 rounded-xl border bg-card px-2.5 py-1.5 text-sm"
        >
          <FileText aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          <span className="max-w-64 truncate">{name}</span>
          {size !== null && (
            <span className="shrink-0 text-xs text-muted-foreground">{fileSize(size, i18n.language)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
