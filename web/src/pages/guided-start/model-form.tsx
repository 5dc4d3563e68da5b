import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { FieldShell } from '../../components/forms/field-shell.tsx';
import { defaultsOf, type FormField, type FormValue } from '../../components/forms/form-field.ts';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Select } from '../../components/ui/select.tsx';
import { localized } from '../../lib/i18n.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { answerByDefault, offeredModels, type Provider, type Requester, saveProvider } from './model-setup.ts';
import type { StartProgress } from './start-progress.ts';

const categories = ['manufacturer', 'maas', 'self-hosted', 'builtin'] as const;

interface ModelFormProps {
  requesters: readonly Requester[];
  /** The provider created here before. */
  stored: Provider | null;
  /** No model other than the demo exists. */
  isDemoOnly: boolean;
  keep: (part: Partial<StartProgress>) => void;
}

/** A provider, its key, and one of its models, which is tested before it is used. */
export function ModelForm({ requesters, stored, isDemoOnly, keep }: ModelFormProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const id = useId();
  const [uuid, setUuid] = useState(stored?.uuid ?? null);
  const input = useKeptInput('start-model', () => ({
    requesterName: stored?.requester ?? '',
    values: (stored === null ? {} : { base_url: stored.base_url }) as FormValue,
    model: '',
  }));
  const { requesterName, values, model } = input.value;
  const change = (part: Partial<typeof input.value>) => input.change((value) => ({ ...value, ...part }));
  const requester = requesters.find(({ name }) => name === requesterName);
  const isStored = stored !== null && stored.requester === requesterName && stored.api_keys.length > 0;

  const find = useMutation({
    mutationFn: async (chosen: Requester) => {
      const provider = await saveProvider(uuid, {
        requester: chosen,
        name: localized(chosen.label),
        base_url: String(values.base_url ?? ''),
        api_key: String(values.api_key ?? ''),
      });
      setUuid(provider);
      // The form keeps its values; a new visit starts with the stored ones.
      keep({ provider_uuid: provider });
      return chosen.spec.lists_models ? offeredModels(provider) : null;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['models'], refetchType: 'none' }),
  });
  const use = useMutation({
    mutationFn: () => answerByDefault(uuid ?? '', model.trim()),
    onSuccess: () => {
      input.drop();
      for (const noun of ['models', 'pipelines']) void queries.invalidateQueries({ queryKey: [noun] });
    },
  });
  const offered = find.data ?? [];

  const choose = (name: string) => {
    const config = requesters.find((one) => one.name === name)?.spec.config ?? [];
    change({ requesterName: name, values: defaultsOf(config), model: '' });
    find.reset();
    use.reset();
  };
  const keyField: FormField = {
    name: 'api_key',
    label: { en_US: t('guidedStart.key') },
    description: { en_US: t(isStored ? 'guidedStart.keyStored' : 'guidedStart.keyHelp') },
    type: 'string',
    required: false,
    secret: true,
  };

  return (
    <div className="max-w-2xl">
      <FieldShell id={`${id}-provider`} label={t('guidedStart.provider')}>
        <Select
          id={`${id}-provider`}
          className="max-w-md"
          value={requesterName}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">{t('guidedStart.chooseProvider')}</option>
          {categories.map((category) => {
            const members = requesters.filter(({ spec }) => spec.provider_category === category);
            return (
              members.length > 0 && (
                <optgroup key={category} label={t(`guidedStart.providerGroups.${category}`)}>
                  {members.map(({ name, label }) => (
                    <option key={name} value={name}>
                      {localized(label)}
                    </option>
                  ))}
                </optgroup>
              )
            );
          })}
        </Select>
      </FieldShell>
      {requester !== undefined && (
        <form
          noValidate
          className="mt-5 space-y-5"
          onSubmit={(event) => {
            event.preventDefault();
            use.reset();
            if (!find.isPending) find.mutate(requester);
          }}
        >
          <SchemaForm
            fields={[...requester.spec.config, keyField]}
            value={values}
            onChange={(next) => change({ values: next })}
            faults={faultsOf(find.error)}
          />
          {find.isError && <FailureAlert error={find.error} />}
          <Button type="submit" variant="outline" disabled={find.isPending}>
            {t(find.isPending ? 'guidedStart.findingModels' : 'guidedStart.findModels')}
          </Button>
        </form>
      )}
      {uuid !== null && requester !== undefined && (find.isSuccess || find.isError) && (
        <form
          noValidate
          className="mt-6 space-y-5"
          onSubmit={(event) => {
            event.preventDefault();
            if (model.trim() !== '' && !use.isPending) use.mutate();
          }}
        >
          <FieldShell
            id={`${id}-model`}
            label={t('guidedStart.model')}
            help={
              offered.length > 0 ? t('guidedStart.modelsFound', { count: offered.length }) : t('guidedStart.modelHelp')
            }
          >
            <Input
              id={`${id}-model`}
              className="max-w-md"
              list={`${id}-offered`}
              autoComplete="off"
              spellCheck={false}
              aria-describedby={`${id}-model-help`}
              value={model}
              onChange={(event) => {
                change({ model: event.target.value });
                use.reset();
              }}
            />
          </FieldShell>
          <datalist id={`${id}-offered`}>
            {offered.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          {use.isError && <FailureAlert error={use.error} />}
          <p role="status" className="flex items-center gap-2.5 text-sm empty:hidden">
            {use.isPending && (
              <>
                <LoaderCircle aria-hidden className="size-4.5 motion-safe:animate-spin" />
                {t('guidedStart.testingModel')}
              </>
            )}
            {use.isSuccess && (
              <>
                <CircleCheck aria-hidden className="size-4.5 text-good" />
                {t('guidedStart.modelWorks', { milliseconds: use.data })}
              </>
            )}
          </p>
          {!use.isSuccess && (
            <Button type="submit" disabled={model.trim() === '' || use.isPending}>
              {t('guidedStart.useModel')}
            </Button>
          )}
        </form>
      )}
      <div className="mt-7 flex flex-wrap gap-2 border-t pt-5">
        <Button
          variant={use.isSuccess || requester === undefined ? 'primary' : 'outline'}
          onClick={() => keep({ step: 'hello' })}
        >
          {use.isSuccess ? t('common.next') : t(isDemoOnly ? 'guidedStart.keepDemo' : 'guidedStart.keepModel')}
        </Button>
        <Button variant="ghost" onClick={() => keep({ step: 'messenger' })}>
          {t('common.back')}
        </Button>
      </div>
    </div>
  );
}
