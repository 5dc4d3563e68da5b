import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdapterHelp } from '../../components/bots/adapter-help.tsx';
import { type Adapter, pipelineChoiceQuery } from '../../components/bots/bot-queries.ts';
import { ConnectionTest } from '../../components/bots/connection-test.tsx';
import { PlatformSignIn } from '../../components/bots/platform-sign-in.tsx';
import { SetupSteps } from '../../components/bots/setup-steps.tsx';
import { WebhookWarning } from '../../components/bots/webhook-warning.tsx';
import { CreateForm } from '../../components/forms/create-form.tsx';
import { FieldShell } from '../../components/forms/field-shell.tsx';
import { defaultsOf, type FormValue } from '../../components/forms/form-field.ts';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Switch } from '../../components/ui/switch.tsx';
import { api } from '../../lib/api.ts';
import { localized } from '../../lib/i18n.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { PipelineSelect } from './pipeline-select.tsx';

/** The form of a new bot. Input stays if creating it fails. */
export function NewBotForm({ adapter }: { adapter: Adapter }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const id = useId();
  const fields = adapter.spec.config;
  const input = useKeptInput(`new-bot:${adapter.name}`, () => ({
    name: localized(adapter.label),
    config: defaultsOf(fields),
    pipeline: null as string | null,
    enable: true,
  }));
  const { name, config, pipeline, enable } = input.value;
  const change = (part: Partial<typeof input.value>) => input.change((value) => ({ ...value, ...part }));
  const [loginId, setLoginId] = useState<string>();
  const { data: pipelines = [] } = useQuery(pipelineChoiceQuery);
  // The default of the server, until one is selected.
  const pipelineUuid = pipeline ?? pipelines.find(({ is_default }) => is_default)?.uuid ?? '';

  const create = useMutation({
    mutationFn: async () => {
      input.requireValues();
      return api.post('/api/v1/platform/bots', {
        body: {
          name: name.trim(),
          adapter: adapter.name,
          adapter_config: config,
          ...(loginId !== undefined && { login_id: loginId }),
          enable,
          ...(pipeline === null ? {} : { use_pipeline_uuid: pipeline }),
        },
      });
    },
    onSuccess: async ({ uuid }) => {
      input.forget();
      void queries.invalidateQueries({ queryKey: ['bots'] });
      await navigate({ to: '/bots/$uuid', params: { uuid }, ignoreBlocker: true });
    },
  });
  const faults = faultsOf(create.error);
  const faultAt = (path: string) => faults.find((fault) => fault.path === path)?.message;

  return (
    <CreateForm create={create} input={input} label={t('bots.create')}>
      <PlatformSignIn
        adapter={adapter}
        config={config}
        onDone={(filled, id) => {
          input.change((value) => ({ ...value, config: { ...value.config, ...filled } }));
          setLoginId(id);
        }}
      />
      <SetupSteps adapter={adapter} />
      <AdapterHelp adapter={adapter} />
      <TextField
        label={t('common.name')}
        value={name}
        autoComplete="off"
        error={name.trim() === '' && create.isError ? t('account.required') : faultAt('name')}
        onChange={(event) => change({ name: event.target.value })}
      />
      <SchemaForm
        fields={fields}
        value={config}
        onChange={(next: FormValue) => change({ config: next })}
        typed={input.typed}
        faults={faults}
        path="adapter_config"
      />
      <WebhookWarning adapter={adapter} config={config} />
      <ConnectionTest adapter={adapter} config={config} requireValues={input.requireValues} loginId={loginId} />
      <FieldShell id={`${id}-pipeline`} label={t('bots.pipeline')} error={faultAt('use_pipeline_uuid')}>
        <PipelineSelect
          id={`${id}-pipeline`}
          value={pipelineUuid}
          none={t('bots.noPipeline')}
          onChange={(next) => change({ pipeline: next })}
          isInvalid={faultAt('use_pipeline_uuid') !== undefined}
        />
      </FieldShell>
      <FieldShell id={`${id}-enable`} label={t('bots.connectAtOnce')} inline>
        <Switch id={`${id}-enable`} checked={enable} onChange={(event) => change({ enable: event.target.checked })} />
      </FieldShell>
    </CreateForm>
  );
}
