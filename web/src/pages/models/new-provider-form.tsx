import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CreateForm } from '../../components/forms/create-form.tsx';
import { defaultsOf } from '../../components/forms/form-field.ts';
import { api } from '../../lib/api.ts';
import { localized } from '../../lib/i18n.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { compatibleEndpoint, hostOf, requesterOf } from './compatible-endpoint.ts';
import type { Requester } from './model-queries.ts';
import { filledKeys, type ProviderEntry, ProviderFields } from './provider-fields.tsx';
import { ProviderTrial } from './provider-trial.tsx';

/** The form of a new provider. Input stays if creating it fails. */
export function NewProviderForm({ requester }: { requester: Requester }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const isEndpoint = requester.name === compatibleEndpoint;
  const input = useKeptInput<ProviderEntry>(`new-provider:${requester.name}`, () => ({
    name: isEndpoint ? '' : localized(requester.label),
    base_url: String(defaultsOf(requester.spec.config).base_url ?? ''),
    api_keys: [],
  }));
  const entry = input.value;
  const create = useMutation({
    mutationFn: () =>
      api.post('/api/v1/provider/providers', {
        body: {
          name: entry.name.trim(),
          requester: requesterOf(requester.name),
          base_url: entry.base_url.trim(),
          api_keys: filledKeys(entry.api_keys),
        },
      }),
    onSuccess: async ({ uuid }) => {
      input.forget();
      void queries.invalidateQueries({ queryKey: ['models'] });
      // A provider without models is useless: they come next.
      const to = '/models/providers/$uuid';
      await navigate({ to, params: { uuid }, search: { tab: 'add' }, ignoreBlocker: true });
    },
  });
  /** The name of an endpoint follows its address until it is changed. */
  const change = (next: ProviderEntry) =>
    input.change(isEndpoint && next.name === hostOf(entry.base_url) ? { ...next, name: hostOf(next.base_url) } : next);
  return (
    <CreateForm create={create} input={input} label={t('models.createProvider')}>
      <ProviderFields
        requester={requester}
        value={entry}
        onChange={change}
        typed={input.typed}
        faults={faultsOf(create.error)}
      />
      <ProviderTrial requester={requester} entry={entry} />
    </CreateForm>
  );
}
