import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { UnsavedChanges } from '../../components/forms/unsaved-changes.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { extraArgumentsField } from './extra-arguments-field.ts';
import type { ModelKind } from './model-kind.ts';
import { type Ability, type Provider, testModel } from './model-queries.ts';
import { TestOutcome } from './test-outcome.tsx';
import { useAddModels } from './use-add-models.ts';

interface NamedModelFormProps {
  provider: Provider;
  kind: ModelKind;
  abilities: Ability[];
}

/** Adds a model by name, optionally after a test. */
export function NamedModelForm({ provider, kind, abilities }: NamedModelFormProps) {
  const { t } = useTranslation();
  const input = useKeptInput(`new-model:${provider.uuid}:${kind}`, () => ({
    name: '',
    extraArguments: {} as Record<string, unknown>,
  }));
  const { name, extraArguments } = input.value;
  const entry = { name: name.trim(), provider_uuid: provider.uuid, extra_args: extraArguments, abilities };
  const test = useMutation({
    mutationFn: async () => {
      input.requireValues();
      return testModel(kind, entry);
    },
  });
  const onAdded = () => {
    input.reset();
    test.reset();
  };
  const add = useAddModels(kind, onAdded, input.requireValues);
  const faults = faultsOf(add.error ?? test.error);
  const faultAt = (path: string) => faults.find((fault) => fault.path.startsWith(path))?.message;
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (entry.name !== '' && !add.isPending) add.mutate([entry]);
      }}
    >
      <UnsavedChanges when={name.trim() !== '' || !input.typed.isEmpty} onLeave={input.forget} />
      <TextField
        label={t('models.modelName')}
        value={name}
        autoComplete="off"
        spellCheck={false}
        error={faultAt('name')}
        onChange={(event) => {
          input.change({ ...input.value, name: event.target.value });
          test.reset();
        }}
      />
      <SchemaForm
        fields={[extraArgumentsField(t)]}
        value={{ extra_args: extraArguments }}
        typed={input.typed}
        faults={faults}
        onChange={({ extra_args }) =>
          input.change({ ...input.value, extraArguments: extra_args as Record<string, unknown> })
        }
      />
      <TestOutcome test={test} />
      {add.isError && <FailureAlert error={add.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={entry.name === '' || add.isPending}>
          {t('models.addModel')}
        </Button>
        <Button variant="outline" disabled={entry.name === '' || test.isPending} onClick={() => test.mutate()}>
          {t('common.test')}
        </Button>
      </div>
    </form>
  );
}
