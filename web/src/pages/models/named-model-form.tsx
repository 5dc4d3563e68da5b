import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { JsonControl } from '../../components/forms/controls.tsx';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { UnsavedChanges } from '../../components/forms/unsaved-changes.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';
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
  const id = useId();
  const input = useKeptInput(`new-model:${provider.uuid}:${kind}`, () => ({
    name: '',
    extraArguments: {} as Record<string, unknown>,
  }));
  const { name, extraArguments } = input.value;
  const entry = { name: name.trim(), provider_uuid: provider.uuid, extra_args: extraArguments, abilities };
  const test = useMutation({ mutationFn: () => testModel(kind, entry) });
  const add = useAddModels(kind, () => {
    input.reset();
    test.reset();
  });
  const faults = faultsOf(add.error ?? test.error);
  const faultAt = (path: string) => faults.find((fault) => fault.path.startsWith(path))?.message;
  const help = t('models.extraArgumentsHelp');
  const error = faultAt('extra_args');
  return (
    <form
      noValidate
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (entry.name !== '' && !add.isPending) add.mutate([entry]);
      }}
    >
      <UnsavedChanges when={name.trim() !== ''} onLeave={input.forget} />
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
      <FieldShell id={id} label={t('models.extraArguments')} help={help} error={error} isOptional>
        <JsonControl
          id={id}
          value={extraArguments}
          describedBy={describedBy(id, { help, error })}
          isInvalid={error !== undefined}
          onChange={(value) => input.change({ ...input.value, extraArguments: value as Record<string, unknown> })}
        />
      </FieldShell>
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
