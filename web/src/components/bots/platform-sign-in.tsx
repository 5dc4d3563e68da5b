import type { components } from '@parley/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, ExternalLink, QrCode as QrCodeIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { localized } from '../../lib/i18n.ts';
import { safeLinkAddress } from '../../lib/safe-address.ts';
import { FailureAlert } from '../failure/failure-alert.tsx';
import type { FormValue } from '../forms/form-field.ts';
import { QrCode } from '../qr-code.tsx';
import { Button } from '../ui/button.tsx';
import type { Adapter } from './bot-queries.ts';

type Login = components['schemas']['AdapterLogin'];

interface PlatformSignInProps {
  adapter: Adapter;
  /** What is filled in so far. */
  config: FormValue;
  /** Called with the fields that the sign-in filled in, with masked secrets, and its id. */
  onDone: (filled: FormValue, loginId: string) => void;
}

const path = '/api/v1/platform/adapters/{adapter_name}/login/{login_id}';
const pollMs = 1500;
const running: readonly Login['state'][] = ['starting', 'waiting', 'confirming'];

/** Obtains credentials by signing in with the platform. Renders nothing for platforms without that. */
export function PlatformSignIn({ adapter, config, onDone }: PlatformSignInProps) {
  const start = useMutation({
    mutationFn: () => {
      const params = { path: { adapter_name: adapter.name } };
      const body = { adapter_config: config };
      return api.post('/api/v1/platform/adapters/{adapter_name}/login', { params, body });
    },
  });
  const { login } = adapter.spec;
  if (login === undefined) return null;
  return (
    <section className="space-y-3 rounded-xl border p-4">
      <p className="text-sm text-muted-foreground">{localized(login.description)}</p>
      {start.data === undefined ? (
        <Button variant="outline" disabled={start.isPending} onClick={() => start.mutate()}>
          <QrCodeIcon aria-hidden />
          {localized(login.label)}
        </Button>
      ) : (
        <Progress adapter={adapter} started={start.data} onDone={onDone} onEnd={start.reset} />
      )}
      {start.isError && <FailureAlert error={start.error} />}
    </section>
  );
}

interface ProgressProps {
  adapter: Adapter;
  started: Login;
  onDone: PlatformSignInProps['onDone'];
  onEnd: () => void;
}

function Progress({ adapter, started, onDone, onEnd }: ProgressProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const params = { path: { adapter_name: adapter.name, login_id: started.id } };
  const queryKey = ['adapter-logins', started.id];
  const cancel = useMutation({
    mutationFn: async () => {
      // A poll that arrives after the cancellation finds nothing.
      await queryClient.cancelQueries({ queryKey });
      return api.delete(path, { params });
    },
    onSettled: onEnd,
  });
  const query = useQuery({
    queryKey,
    enabled: cancel.isIdle,
    queryFn: ({ signal }) => api.get(path, { params, signal }),
    initialData: started,
    // Only the interval asks: a result that was used is gone.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.status !== 'error' && isRunning(state.data) ? pollMs : false),
  });
  const login = query.data;
  const isTold = useRef(false);
  useEffect(() => {
    if (login.state !== 'done' || isTold.current) return;
    isTold.current = true;
    onDone(login.adapter_config ?? {}, login.id);
  }, [login, onDone]);
  const link = login.url === null ? null : safeLinkAddress(login.url);
  return (
    <div className="space-y-3">
      <p role="status" className={login.state === 'done' ? 'flex items-start gap-2 text-sm text-good' : 'text-sm'}>
        {login.state === 'done' && <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />}
        {t(`bots.signInStates.${login.state}`)}
      </p>
      {login.message !== null && <p className="text-sm break-words">{login.message}</p>}
      {login.url !== null && <QrCode text={login.url} label={t('bots.signInCode')} />}
      {link !== null && (
        <a
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-6 items-center gap-1.5 rounded text-sm font-medium text-primary underline underline-offset-4"
        >
          {t('bots.signInLink')}
          <ExternalLink aria-hidden className="size-3.5" />
        </a>
      )}
      {query.isError && <FailureAlert error={query.error} />}
      {isRunning(login) && !query.isError ? (
        <Button variant="ghost" size="small" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('common.cancel')}
        </Button>
      ) : (
        login.state !== 'done' && (
          <Button variant="outline" size="small" onClick={onEnd}>
            {t('bots.signInAgain')}
          </Button>
        )
      )}
    </div>
  );
}

function isRunning(login: Login | undefined): boolean {
  return login !== undefined && running.includes(login.state);
}
