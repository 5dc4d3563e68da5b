import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Button } from '../../components/ui/button.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { api } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { systemInfoQuery } from '../../lib/system-info.ts';
import { ConnectStep } from './connect-step.tsx';
import { HelloStep } from './hello-step.tsx';
import { ModelStep } from './model-step.tsx';
import { PlatformStep } from './platform-step.tsx';
import { progressOf, type StartProgress } from './start-progress.ts';
import { StepList } from './step-list.tsx';

const route = getRouteApi('/console/start');

/** From a new installation to an answering bot. The server stores the progress, so that it can be interrupted. */
export function GuidedStartPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const info = useQuery(systemInfoQuery);
  const end = useMutation({
    mutationFn: (status: 'completed' | 'skipped') => api.post('/api/v1/system/wizard/completed', { body: { status } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: systemInfoQuery.queryKey });
      await navigate({ to: '/' });
    },
    onError: notify.failed,
  });
  return (
    <Page
      title={t('guidedStart.title')}
      introduction={t('guidedStart.introduction')}
      actions={
        <>
          {info.data?.wizard_status === 'none' && (
            <Button variant="ghost" size="small" disabled={end.isPending} onClick={() => end.mutate('skipped')}>
              {t('guidedStart.dismiss')}
            </Button>
          )}
          <ButtonLink to="/" variant="outline" size="small">
            {t('guidedStart.leave')}
          </ButtonLink>
        </>
      }
    >
      <Loaded query={info}>
        {({ wizard_progress }) => (
          <Steps
            stored={progressOf(wizard_progress)}
            isEnding={end.isPending}
            onFinish={() => end.mutate('completed')}
          />
        )}
      </Loaded>
    </Page>
  );
}

interface StepsProps {
  stored: StartProgress;
  isEnding: boolean;
  onFinish: () => void;
}

function Steps({ stored, isEnding, onFinish }: StepsProps) {
  const navigate = useNavigate();
  const { step: asked } = route.useSearch();
  const [progress, setProgress] = useState(stored);
  const content = useRef<HTMLDivElement>(null);
  const { step } = progressOf({ ...progress, step: asked ?? progress.step });
  const shown = useRef(step);

  // Moves the focus to the next step, for keyboard and screen reader users.
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    content.current?.querySelector('h2')?.focus();
  }, [step]);

  const keep = (part: Partial<StartProgress>) => {
    const next = { ...progress, ...part };
    setProgress(next);
    // If saving fails, steps only have to be repeated.
    void api.put('/api/v1/system/wizard/progress', { body: { ...next } }).catch(notify.failed);
    if (part.step !== undefined) void navigate({ to: '/start', search: { step: part.step } });
  };

  return (
    <div className="max-w-4xl">
      <StepList step={step} progress={progress} onChoose={(chosen) => keep({ step: chosen })} />
      <div ref={content} className="rounded-2xl border bg-card p-5 sm:p-7">
        {step === 'messenger' && <PlatformStep keep={keep} />}
        {step === 'connect' && <ConnectStep key={progress.adapter} progress={progress} keep={keep} />}
        {step === 'model' && <ModelStep progress={progress} keep={keep} />}
        {step === 'hello' && <HelloStep isEnding={isEnding} onFinish={onFinish} />}
      </div>
    </div>
  );
}
