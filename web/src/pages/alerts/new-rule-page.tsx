import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { CreateForm } from '../../components/forms/create-form.tsx';
import { Page } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { bodyOf, parametersOf, type RuleEntry } from './rule-entry.ts';
import { RuleFields } from './rule-fields.tsx';

const initial = (): RuleEntry => ({
  name: '',
  kind: 'bot_offline',
  parameters: parametersOf.bot_offline,
  minimum_minutes: '5',
  targets: [],
});

/** Adds an alert rule. */
export function NewRulePage() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const input = useKeptInput('new-alert-rule', initial);
  const create = useMutation({
    mutationFn: () => api.post('/api/v1/alerts/rules', { body: { ...bodyOf(input.value), kind: input.value.kind } }),
    onSuccess: async () => {
      input.forget();
      await queries.invalidateQueries({ queryKey: ['alerts'] });
      void navigate({ to: '/alerts', search: { tab: 'rules' }, ignoreBlocker: true });
    },
  });
  return (
    <Page title={t('alerts.newRule')} back={<BackLink to="/alerts">{t('alerts.toList')}</BackLink>}>
      <CreateForm create={create} input={input} label={t('alerts.newRule')}>
        <RuleFields isNew value={input.value} onChange={input.change} faults={faultsOf(create.error)} />
      </CreateForm>
    </Page>
  );
}
