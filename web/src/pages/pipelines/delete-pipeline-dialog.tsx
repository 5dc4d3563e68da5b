import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { botsQuery } from '../../components/bots/bot-queries.ts';
import { DeleteDialog, type DeletionProps } from '../../components/delete-dialog.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { api } from '../../lib/api.ts';
import { type Bot, botsOf, type Pipeline } from './pipeline-queries.ts';

/** Deletes a pipeline, with its name as confirmation, or shows what prevents it. */
export function DeletePipelineDialog({ pipeline, ...ends }: { pipeline: Pipeline } & DeletionProps) {
  const { t } = useTranslation();
  const bots = useQuery(botsQuery);
  const users = botsOf(pipeline.uuid, bots.data?.bots ?? []);
  if (pipeline.is_default || users.length > 0) {
    return <Refusal isDefault={pipeline.is_default} users={users} onClose={ends.onClose} />;
  }
  return (
    <DeleteDialog
      title={t('pipelines.deleteTitle')}
      text={t('pipelines.deleteText')}
      confirm={t('pipelines.delete')}
      name={pipeline.name}
      remove={() =>
        api.delete('/api/v1/pipelines/{pipeline_uuid}', { params: { path: { pipeline_uuid: pipeline.uuid } } })
      }
      refresh={(queries) => {
        const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[1] !== pipeline.uuid;
        return queries.invalidateQueries({ queryKey: ['pipelines'], predicate: isOther });
      }}
      {...ends}
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
