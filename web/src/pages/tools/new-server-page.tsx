import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldShell } from '../../components/forms/field-shell.tsx';
import { UnsavedChanges } from '../../components/forms/unsaved-changes.tsx';
import { Page } from '../../components/page.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Switch } from '../../components/ui/switch.tsx';
import { api } from '../../lib/api.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { newEntry, requestOf } from './server-entry.ts';
import { ServerFields } from './server-fields.tsx';
import { ServerRefusal } from './server-refusal.tsx';
import { ServerTest } from './server-test.tsx';

/** Adds an MCP server. What was typed stays when it is not taken. */
export function NewServerPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const id = useId();
  const [entry, setEntry] = useState(newEntry);
  const [enable, setEnable] = useState(true);
  const create = useMutation({
    mutationFn: () => api.post('/api/v1/mcp/servers', { body: { ...requestOf(entry), enable } }),
    onSuccess: async ({ uuid }) => {
      void queries.invalidateQueries({ queryKey: ['mcp-servers'] });
      await navigate({ to: '/tools/servers/$uuid', params: { uuid }, ignoreBlocker: true });
    },
  });
  return (
    <Page
      title={t('tools.newTitle')}
      introduction={t('tools.newText')}
      back={
        <Link to="/tools" className="rounded text-muted-foreground underline-offset-4 hover:underline">
          {t('tools.toList')}
        </Link>
      }
    >
      <form
        noValidate
        className="max-w-2xl space-y-6"
        onSubmit={(event) => {
          event.preventDefault();
          if (!create.isPending) create.mutate();
        }}
      >
        <UnsavedChanges when={JSON.stringify(entry) !== JSON.stringify(newEntry) && !create.isSuccess} />
        <ServerFields value={entry} onChange={setEntry} faults={faultsOf(create.error)} />
        <FieldShell id={id} label={t('tools.enableAtOnce')} inline>
          <Switch id={id} checked={enable} onChange={(event) => setEnable(event.target.checked)} />
        </FieldShell>
        <ServerTest entry={entry} />
        {create.isError && <ServerRefusal error={create.error} entry={entry} />}
        <Button type="submit" disabled={create.isPending}>
          {t(create.isPending ? 'common.saving' : 'tools.create')}
        </Button>
      </form>
    </Page>
  );
}
