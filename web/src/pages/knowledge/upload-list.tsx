import { ParleyApiError } from '@parley/client';
import { Link } from '@tanstack/react-router';
import { CopyPlus, RotateCcw, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { ProgressBar } from '../../components/ui/progress-bar.tsx';
import { errorText, reasonText } from '../../lib/error-text.ts';
import { fileSize } from '../../lib/file-size.ts';
import { type Upload, uploadQueue } from './upload-queue.ts';

/** Uploads in progress, and failed ones, which stay until the user decides. */
export function UploadList({ base, uploads }: { base: string; uploads: readonly Upload[] }) {
  const { t } = useTranslation();
  const failed = uploads.filter(({ state }) => state === 'failed').length;
  const ended = uploads.filter(({ state }) => state === 'failed' || state === 'partial').length;
  return (
    <>
      <p role="status" className="sr-only">
        {uploads.length > 0 && t('knowledge.uploading', { count: uploads.length - failed })}
        {failed > 0 && ` ${t('knowledge.uploadsFailed', { count: failed })}`}
      </p>
      {ended > 1 && (
        <div className="text-right">
          <Button variant="ghost" size="small" onClick={() => uploadQueue.dismissEnded(base)}>
            <X aria-hidden />
            {t('knowledge.dismissAll')}
          </Button>
        </div>
      )}
      {uploads.length > 0 && (
        <ul aria-label={t('knowledge.uploads')} className="divide-y rounded-2xl border bg-card">
          {uploads.map((upload) => (
            <li key={upload.id} className="px-4 py-3">
              <UploadRow base={base} upload={upload} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const finalReasons: ReadonlySet<string> = new Set(['too_large', 'duplicate_document', 'document_type_unsupported']);

/** The document that has the same content. */
function originalOf(error: unknown): { uuid: string; name: string } | null {
  const [detail] = error instanceof ParleyApiError ? error.details : [];
  const uuid = detail?.path.replace(/^documents\//, '');
  return detail === undefined || uuid === undefined || uuid === detail.path ? null : { uuid, name: detail.message };
}

function UploadRow({ base, upload }: { base: string; upload: Upload }) {
  const { t, i18n } = useTranslation();
  const { id, file, state, sent, error, skipped } = upload;
  const reason = error instanceof ParleyApiError ? error.reason : null;
  // Nothing about these changes with another attempt.
  const canRetry = state === 'failed' && (reason === null || !finalReasons.has(reason));
  const original = reason === 'duplicate_document' ? originalOf(error) : null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="truncate text-sm font-medium" title={file.name}>
          {file.name}
        </p>
        {state === 'failed' ? (
          <p className="text-sm text-destructive">
            {reason === 'too_large' ? t('knowledge.fileTooLarge') : errorText(error, t)}{' '}
            {original !== null && (
              <Link
                to="/knowledge/$uuid/files/$file"
                params={{ uuid: base, file: original.uuid }}
                className="rounded underline underline-offset-4"
              >
                {original.name}
              </Link>
            )}
          </p>
        ) : (
          <p className="text-xs text-muted-foreground">
            {fileSize(file.size, i18n.language)} · {t(`knowledge.uploadStates.${state}`)}
          </p>
        )}
        {skipped.length > 0 && (
          <ul className="mt-1 space-y-0.5 text-sm text-notice">
            {skipped.map(({ file_name, reason: why, message }) => (
              <li key={file_name} className="break-all">
                {t('knowledge.leftOut', { name: file_name, reason: reasonText(why, t) ?? message })}
              </li>
            ))}
          </ul>
        )}
        {(state === 'sending' || state === 'attaching') && (
          <div className="mt-1.5 max-w-md">
            <ProgressBar
              label={t('knowledge.uploadOf', { name: file.name })}
              part={state === 'sending' ? sent : null}
            />
          </div>
        )}
      </div>
      {reason === 'duplicate_document' && (
        <Button variant="outline" size="small" onClick={() => uploadQueue.retry(base, id, { allowDuplicate: true })}>
          <CopyPlus aria-hidden />
          {t('knowledge.addAnyway')}
        </Button>
      )}
      {canRetry && (
        <Button variant="outline" size="small" onClick={() => uploadQueue.retry(base, id)}>
          <RotateCcw aria-hidden />
          {t('common.retry')}
        </Button>
      )}
      <Button
        variant="ghost"
        size="icon"
        className="size-8"
        aria-label={t(state === 'failed' || state === 'partial' ? 'knowledge.dismiss' : 'knowledge.cancelUpload', {
          name: file.name,
        })}
        onClick={() => uploadQueue.remove(base, id)}
      >
        <X aria-hidden />
      </Button>
    </div>
  );
}
