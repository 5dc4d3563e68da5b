import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../components/states/loaded.tsx';
import { api } from '../../lib/api.ts';
import { withCompatibleEndpoint } from '../models/compatible-endpoint.ts';
import { ModelForm } from './model-form.tsx';
import { overwrittenNow, storedProvider } from './model-setup.ts';
import type { StartProgress } from './start-progress.ts';
import { StepHeading } from './step-heading.tsx';

interface ModelStepProps {
  progress: StartProgress;
  keep: (part: Partial<StartProgress>) => void;
}

/** The model that answers: one of a provider, or the demo model. */
export function ModelStep({ progress, keep }: ModelStepProps) {
  const { t } = useTranslation();
  // The provider of an earlier visit; the form knows one created here.
  const [provider_uuid] = useState(progress.provider_uuid);
  const choices = useQuery({
    queryKey: ['models', 'start', provider_uuid],
    // Changes elsewhere must not discard the input here.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async () => {
      const [{ requesters }, { models }, [provider, known]] = await Promise.all([
        api.get('/api/v1/provider/requesters', { params: { query: { type: 'llm' } } }),
        api.get('/api/v1/provider/models/llm'),
        storedProvider(provider_uuid).then(async (one) => [one, await overwrittenNow(one)] as const),
      ]);
      const builtIn = requesters.filter(({ spec }) => spec.provider_category === 'builtin').map(({ name }) => name);
      const isDemoOnly = models.every((model) => builtIn.includes(model.provider?.requester ?? ''));
      return { requesters, provider, known, isDemoOnly };
    },
  });
  return (
    <>
      <StepHeading title={t('guidedStart.modelTitle')}>
        {choices.data !== undefined && t(choices.data.isDemoOnly ? 'guidedStart.modelText' : 'guidedStart.modelThere')}
      </StepHeading>
      <Loaded query={choices} rows={2}>
        {({ requesters, provider, known, isDemoOnly }) => (
          <ModelForm
            requesters={withCompatibleEndpoint(requesters, t).filter(
              ({ spec }) => spec.provider_category !== 'builtin' && spec.unavailable === undefined,
            )}
            stored={provider}
            known={known}
            isDemoOnly={isDemoOnly}
            keep={keep}
          />
        )}
      </Loaded>
    </>
  );
}
