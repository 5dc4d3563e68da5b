import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useSaved } from '../../lib/use-saved.ts';
import { AbilitiesField } from './abilities-field.tsx';
import { extraArgumentsField } from './extra-arguments-field.ts';
import type { ModelKind } from './model-kind.ts';
import { type Ability, type Model, type Provider, readTaggedModel, testModel } from './model-queries.ts';
import { TestOutcome } from './test-outcome.tsx';

const contentOf = ({ name, provider_uuid, extra_args, abilities = [] }: Model) => ({
  name,
  provider_uuid,
  extra_args,
  abilities: abilities as Ability[],
});

interface ModelFormProps {
  kind: ModelKind;
  model: Model;
  providers: readonly Provider[];
}

/** The form of a model. A test uses the current input, saved or not. */
export function ModelForm({ kind, model, providers }: ModelFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const draft = useDraft({
    name: `model:${model.uuid}`,
    stored: model,
    contentOf,
    read: () => readTaggedModel(kind, model.uuid),
    save: ({ abilities, ...body }, headers) => {
      const params = { path: { model_uuid: model.uuid } };
      if (kind === 'llm') {
        return api.put('/api/v1/provider/models/llm/{model_uuid}', { params, headers, body: { ...body, abilities } });
      }
      return api.put(`/api/v1/provider/models/${kind}/{model_uuid}`, { params, headers, body });
    },
    onSaved: useSaved(['models']),
  });
  const { value, change } = draft;
  const test = useMutation({
    mutationFn: async () => {
      draft.requireValues();
      return testModel(kind, value);
    },
  });
  const faultAt = (path: string) => draft.faults.find((fault) => fault.path.startsWith(path))?.message;
  const providerFault = faultAt('provider');
  return (
    <>
      <div className="max-w-2xl space-y-5">
        <TextField
          label={t('models.modelName')}
          help={t('models.byNameText')}
          value={value.name}
          autoComplete="off"
          spellCheck={false}
          error={faultAt('name')}
          onChange={(event) => change({ ...value, name: event.target.value })}
        />
        <FieldShell id={`${id}-provider`} label={t('models.provider')} error={providerFault}>
          <Select
            id={`${id}-provider`}
            value={value.provider_uuid}
            aria-invalid={providerFault !== undefined || undefined}
            aria-describedby={describedBy(`${id}-provider`, { error: providerFault })}
            onChange={(event) => change({ ...value, provider_uuid: event.target.value })}
          >
            {providers.map(({ uuid, name }) => (
              <option key={uuid} value={uuid}>
                {name}
              </option>
            ))}
          </Select>
        </FieldShell>
        {kind === 'llm' && (
          <AbilitiesField abilities={value.abilities} onChange={(abilities) => change({ ...value, abilities })} />
        )}
        <SchemaForm
          fields={[extraArgumentsField(t)]}
          value={{ extra_args: value.extra_args }}
          typed={draft.typed}
          faults={draft.faults}
          onChange={({ extra_args }) => change({ ...value, extra_args: extra_args as Record<string, unknown> })}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="outline" disabled={test.isPending} onClick={() => test.mutate()}>
            {t('common.test')}
          </Button>
          <TestOutcome test={test} />
        </div>
      </div>
      <SaveBar draft={draft} />
    </>
  );
}
