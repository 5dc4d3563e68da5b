import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { botsQuery } from '../../components/bots/bot-queries.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { type Bot, botsOf, type Pipeline } from './pipeline-queries.ts';

interface DeletePipelineDialogProps {
  pipeline: Pipeline;
  onDeleted?: () => void;
  onClose: () => void;
}

/** Deletes a pipeline, with its name as confirmation, or shows what prevents it. */
export function DeletePipelineDialog({ pipeline, onDeleted, onClose }: DeletePipelineDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const bots = useQuery(botsQuery);
  const users = botsOf(pipeline.uuid, bots.data?.bots ?? []);
  if (pipeline.is_default || users.length > 0) {
    return <Refusal isDefault={pipeline.is_default} users={users} onClose={onClose} />;
  }
  return (
    <ConfirmDialog
      title={t('pipelines.deleteTitle')}
      text={t('pipelines.deleteText')}
      confirm={t('pipelines.delete')}
      name={pipeline.name}
      onClose={onClose}
      action={async () => {
        await api.delete('/api/v1/pipelines/{pipeline_uuid}', { params: { path: { pipeline_uuid: pipeline.uuid } } });
        notify.done(t('common.deleted', { name: pipeline.name }));
        onDeleted?.();
        // Leaves its page first, which would show that it does not exist.
        const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[1] !== pipeline.uuid;
        await queries.invalidateQueries({ queryKey: ['pipelines'], predicate: isOther });
      }}
    />
  );
}

function Refusal({ isDefault, users, onClose }: { isDefault: boolean; users: readonly Bot[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('pipelines.cannotDelete')} onClose={onClose}>
      <div className="mt-2 space-y-3 text-pretty text-muted-foreground">
        {isDefault && <p>{t('pipelines.isDefaultText')}</p>}
        {users.length > 0 && (
          <>
            <p>{t('pipelines.inUseText')}</p>
            <ul className="list-disc space-y-1 pl-5">
              {users.map(({ uuid, name }) => (
                <li key={uuid}>
                  <Link
                    to="/bot/$uuid"
                    params={{ uuid }}
                    search={{ tab: 'routing' }}
                    className="rounded font-medium break-words text-primary underline underline-offset-4"
                  >
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <div className="mt-6 flex justify-end">
        <Button variant="outline" onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
    </Dialog>
  );
}
