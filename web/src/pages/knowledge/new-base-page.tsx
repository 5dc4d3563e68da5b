import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { defaultsOf, type FormValue } from '../../components/forms/form-field.ts';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { UnsavedChanges } from '../../components/forms/unsaved-changes.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { localized } from '../../lib/i18n.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { notify } from '../../lib/notify.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { enginesQuery, type KnowledgeEngine } from './knowledge-queries.ts';

/** Creates a knowledge base. The defaults work without changes. */
export function NewBasePage() {
  const { t } = useTranslation();
  const engines = useQuery(enginesQuery);
  return (
    <Page
      title={t('knowledge.new')}
      introduction={t('knowledge.newText')}
      back={<BackLink to="/knowledge">{t('knowledge.title')}</BackLink>}
    >
      <Loaded query={engines}>{(all) => <NewBaseForm engines={all} />}</Loaded>
    </Page>
  );
}

function NewBaseForm({ engines }: { engines: readonly KnowledgeEngine[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const input = useKeptInput('new-knowledge-base', () => ({
    name: '',
    description: '',
    chosen: engines[0]?.plugin_id ?? '',
    /** By engine, so that selecting another one preserves the input. */
    settings: {} as Record<string, FormValue>,
  }));
  const { name, description, chosen, settings } = input.value;
  const change = (part: Partial<typeof input.value>) => input.change((value) => ({ ...value, ...part }));
  const engine = engines.find(({ plugin_id }) => plugin_id === chosen);
  const fields = engine?.creation_schema.schema ?? [];
  const create = useMutation({
    mutationFn: async () => {
      input.requireValues();
      return api.post('/api/v1/knowledge/bases', {
        body: {
          name: name.trim(),
          description,
          knowledge_engine_plugin_id: chosen,
          creation_settings: { ...defaultsOf(fields), ...settings[chosen] },
        },
      });
    },
    onSuccess: async ({ uuid }) => {
      input.forget();
      notify.done(t('knowledge.made', { name: name.trim() }));
      await queries.invalidateQueries({ queryKey: ['knowledge', 'page'] });
      await navigate({ to: '/knowledge/$uuid', params: { uuid }, ignoreBlocker: true });
    },
  });
  const faults = faultsOf(create.error);
  const nameFault = faults.find(({ path }) => path === 'name');
  return (
    <form
      className="max-w-2xl"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '' && !create.isPending) create.mutate();
      }}
    >
      <UnsavedChanges when={input.isTouched && !create.isPending && !create.isSuccess} onLeave={input.forget} />
      <div className="space-y-5">
        <TextField
          label={t('common.name')}
          value={name}
          required
          maxLength={255}
          autoComplete="off"
          error={nameFault?.message}
          onChange={(event) => change({ name: event.target.value })}
        />
        <TextField
          label={t('knowledge.descriptionOptional')}
          value={description}
          maxLength={2000}
          autoComplete="off"
          help={t('knowledge.descriptionHelp')}
          onChange={(event) => change({ description: event.target.value })}
        />
        <fieldset>
          <legend className="mb-2 text-sm font-medium">{t('knowledge.engine')}</legend>
          <div className="space-y-2">
            {engines.map(({ plugin_id, name: engineName, description: text }) => (
              <label
                key={plugin_id}
                className="flex cursor-pointer items-start gap-3 rounded-xl border bg-card p-3.5 transition-colors has-checked:border-primary has-focus-visible:outline-2 has-focus-visible:outline-ring"
              >
                <input
                  type="radio"
                  name="engine"
                  value={plugin_id}
                  checked={plugin_id === chosen}
                  onChange={() => {
                    change({ chosen: plugin_id });
                    // Fields of another engine may have the same names.
                    input.typed.drop();
                  }}
                  className="mt-1 size-4.5 shrink-0 accent-primary"
                />
                <span className="min-w-0">
                  <span className="block font-medium">{localized(engineName)}</span>
                  <span className="block text-sm text-pretty text-muted-foreground">{localized(text)}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      </div>
      {fields.length > 0 && (
        <Section title={t('knowledge.creationSettings')} text={t('knowledge.creationSettingsNewText')}>
          <SchemaForm
            key={chosen}
            fields={fields}
            value={{ ...defaultsOf(fields), ...settings[chosen] }}
            onChange={(value) => change({ settings: { ...settings, [chosen]: value } })}
            typed={input.typed}
            faults={faults}
            path="creation_settings"
          />
        </Section>
      )}
      {create.isError && <FailureAlert className="mt-6" error={create.error} />}
      <Button type="submit" className="mt-6" disabled={name.trim() === '' || create.isPending}>
        {t('common.create')}
      </Button>
    </form>
  );
}
