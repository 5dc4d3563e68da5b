import type { components } from '@parley/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bot, LogOut, type LucideIcon, Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { deviceOf } from './device.ts';

type Session = components['schemas']['Session'];

/** The sessions of the account. Others can be ended, this one by signing out. */
export function SessionList() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [asksForAll, setAskForAll] = useState(false);
  const query = useQuery({ queryKey: ['sessions'], queryFn: () => api.get('/api/v1/user/sessions') });
  const reload = () => queries.invalidateQueries({ queryKey: ['sessions'] });

  const end = useMutation({
    mutationFn: ({ uuid }: Session) =>
      api.delete('/api/v1/user/sessions/{session_uuid}', { params: { path: { session_uuid: uuid } } }),
    onSuccess: () => notify.done(t('profile.sessionEnded')),
    onError: notify.failed,
    onSettled: reload,
  });
  const endOthers = async () => {
    await api.delete('/api/v1/user/sessions');
    notify.done(t('profile.othersEnded'));
    await reload();
  };

  return (
    <Loaded query={query} rows={3}>
      {({ sessions }) => (
        <>
          <ul aria-label={t('profile.sessions')} className="divide-y rounded-2xl border bg-card">
            {sessions.map((session) => (
              <SessionRow
                key={session.uuid}
                session={session}
                isEnding={end.isPending && end.variables.uuid === session.uuid}
                onEnd={() => end.mutate(session)}
              />
            ))}
          </ul>
          {sessions.some(({ current }) => !current) && (
            <Button variant="outline" size="small" className="mt-3" onClick={() => setAskForAll(true)}>
              <LogOut aria-hidden />
              {t('profile.endOthers')}
            </Button>
          )}
          {asksForAll && (
            <ConfirmDialog
              title={t('profile.endOthers')}
              text={t('profile.endOthersText')}
              confirm={t('profile.endOthers')}
              action={endOthers}
              onClose={() => setAskForAll(false)}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

interface SessionRowProps {
  session: Session;
  isEnding: boolean;
  onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { t } = useTranslation();
  const { program, system, isPhone } = deviceOf(session.user_agent);
  const name =
    program !== null && system !== null
      ? t('profile.device', { program, system })
      : (program ?? system ?? t('profile.unknownDevice'));
  const Icon: LucideIcon = system === null ? Bot : isPhone ? Smartphone : Monitor;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1 basis-44">
        <p className="flex flex-wrap items-center gap-2 font-medium" title={session.user_agent}>
          {name}
          {session.current && <Badge tone="good">{t('profile.thisSession')}</Badge>}
        </p>
        <p className="text-sm text-muted-foreground">
          {session.address} · {t('profile.lastUsed')} <RelativeTime timestamp={session.last_used_at} /> ·{' '}
          {t('profile.signedIn')} <RelativeTime timestamp={session.created_at} />
        </p>
      </div>
      {!session.current && (
        <Button
          variant="outline"
          size="small"
          disabled={isEnding}
          onClick={onEnd}
          aria-label={`${t('profile.endSession')}: ${name}, ${session.address}`}
        >
          {t('profile.endSession')}
        </Button>
      )}
    </li>
  );
}
