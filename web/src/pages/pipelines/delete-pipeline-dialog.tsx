import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { botsQuery } from '../../components/bots/bot-queries.ts';
import type { DeletionProps } from '../../components/delete-dialog.tsx';
import { HeldDeletion } from '../../components/lists/held-deletion.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { api } from '../../lib/api.ts';
import { type Bot, botsOf, type Pipeline } from './pipeline-queries.ts';

/** Deletes a pipeline, which can be undone for some seconds, or shows what prevents it. */
export function DeletePipelineDialog({ pipeline, ...ends }: { pipeline: Pipeline } & DeletionProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const bots = useQuery(botsQuery);
  const users = botsOf(pipeline.uuid, bots.data?.bots ?? []);
  // Who uses it is known first.
  if (bots.data === undefined && bots.isPending) return null;
  if (pipeline.is_default || users.length > 0) {
    return <Refusal pipeline={pipeline.uuid} isDefault={pipeline.is_default} users={users} onClose={ends.onClose} />;
  }
  return (
    <HeldDeletion
      keys={[`pipelines/${pipeline.uuid}`]}
      text={t('common.deleted', { name: pipeline.name })}
      send={(keepalive) =>
        api.delete('/api/v1/pipelines/{pipeline_uuid}', {
          params: { path: { pipeline_uuid: pipeline.uuid } },
          keepalive,
        })
      }
      refresh={() => queries.invalidateQueries({ queryKey: ['pipelines'] })}
      {...ends}
    />
  );
}

interface RefusalProps {
  pipeline: string;
  isDefault: boolean;
  users: readonly Bot[];
  onClose: () => void;
}

/** Bots that are named. */
const mostUsers = 10;

function Refusal({ pipeline, isDefault, users, onClose }: RefusalProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('pipelines.cannotDelete')} onClose={onClose}>
      <div className="mt-2 space-y-3 text-pretty text-muted-foreground">
        {isDefault && <p>{t('pipelines.isDefaultText')}</p>}
        {users.length > 0 && (
          <>
            <p>{t('pipelines.inUseText')}</p>
            <ul className="list-disc space-y-1 pl-5">
              {users.slice(0, mostUsers).map(({ uuid, name }) => (
                <li key={uuid}>
                  <Link
                    to="/bots/$uuid"
                    params={{ uuid }}
                    search={{ tab: 'routing' }}
                    className="rounded font-medium break-words text-primary underline underline-offset-4"
                  >
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
            {users.length > mostUsers && (
              <Link to="/bots" search={{ pipeline }} className="rounded text-primary underline underline-offset-4">
                {t('pipelines.otherUsers', { count: users.length - mostUsers })}
              </Link>
            )}
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
