import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { CreateForm } from '../../components/forms/create-form.tsx';
import { FieldShell } from '../../components/forms/field-shell.tsx';
import { Page } from '../../components/page.tsx';
import { Switch } from '../../components/ui/switch.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { newEntry, requestOf } from './server-entry.ts';
import { ServerFields } from './server-fields.tsx';
import { ServerRefusal } from './server-refusal.tsx';
import { ServerTest } from './server-test.tsx';

/** Adds an MCP server. Input stays if it fails. */
export function NewServerPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const id = useId();
  const input = useKeptInput('new-mcp-server', () => ({ entry: newEntry, enable: true }));
  const { entry, enable } = input.value;
  const create = useMutation({
    mutationFn: async () => {
      input.requireValues();
      return api.post('/api/v1/mcp/servers', { body: { ...requestOf(entry), enable } });
    },
    onSuccess: async ({ uuid }) => {
      input.forget();
      void queries.invalidateQueries({ queryKey: ['mcp-servers'] });
      await navigate({ to: '/tools/servers/$uuid', params: { uuid }, ignoreBlocker: true });
    },
  });
  return (
    <Page
      title={t('tools.newTitle')}
      introduction={t('tools.newText')}
      back={<BackLink to="/tools">{t('tools.toList')}</BackLink>}
    >
      <CreateForm
        create={create}
        input={input}
        label={t('tools.create')}
        refusal={(error) => <ServerRefusal error={error} />}
      >
        <ServerFields
          value={entry}
          onChange={(next) => input.change({ ...input.value, entry: next })}
          typed={input.typed}
          faults={faultsOf(create.error)}
        />
        <FieldShell id={id} label={t('tools.enableAtOnce')} inline>
          <Switch
            id={id}
            checked={enable}
            onChange={(event) => input.change({ ...input.value, enable: event.target.checked })}
          />
        </FieldShell>
        <ServerTest entry={entry} requireValues={input.requireValues} />
      </CreateForm>
    </Page>
  );
}
