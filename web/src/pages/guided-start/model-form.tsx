import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LoaderCircle } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { ConflictNotice } from '../../components/forms/conflict-notice.tsx';
import { FieldShell } from '../../components/forms/field-shell.tsx';
import { defaultsOf, type FormField, type FormValue } from '../../components/forms/form-field.ts';
import { SchemaForm } from '../../components/forms/schema-form.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Select } from '../../components/ui/select.tsx';
import { localized } from '../../lib/i18n.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { notify } from '../../lib/notify.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { compatibleEndpoint, hostOf } from '../models/compatible-endpoint.ts';
import {
  answerByDefault,
  type Overwritten,
  offeredModels,
  overwrites,
  type Provider,
  type Requester,
} from './model-setup.ts';
import { preferredModel } from './preferred-model.ts';
import type { StartProgress } from './start-progress.ts';

const categories = ['manufacturer', 'maas', 'self-hosted', 'builtin'] as const;

interface ModelFormProps {
  requesters: readonly Requester[];
  /** The provider created here before. */
  stored: Provider | null;
  /** What is stored of what the guide overwrites. */
  known: Overwritten;
  /** No model other than the demo exists. */
  isDemoOnly: boolean;
  keep: (part: Partial<StartProgress>) => void;
}

/** A provider, its key, and one of its models, which is tested before it is used. Nothing is stored before. */
export function ModelForm({ requesters, stored, isDemoOnly, keep, ...properties }: ModelFormProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const id = useId();
  const [isTyped, setTyped] = useState(false);
  // Later states are shown before they are overwritten.
  const [known] = useState(properties.known);
  /** What another user has stored meanwhile. */
  const [theirs, setTheirs] = useState<Overwritten | null>(null);
  const input = useKeptInput('start-model', () => ({
    requesterName: stored?.requester ?? '',
    values: (stored === null ? {} : { base_url: stored.base_url }) as FormValue,
    model: '',
  }));
  const { requesterName, values, model } = input.value;
  const change = (part: Partial<typeof input.value>) => input.change((value) => ({ ...value, ...part }));
  const requester = requesters.find(({ name }) => name === requesterName);
  const isStored = stored !== null && stored.requester === requesterName && stored.api_keys.length > 0;
  const address = String(values.base_url ?? '');
  const ownName = requester === undefined ? '' : localized(requester.label);
  const entry = {
    choice: requesterName,
    name: requesterName === compatibleEndpoint ? hostOf(address) : ownName,
    base_url: address,
    api_key: String(values.api_key ?? ''),
  };

  const find = useMutation({
    mutationFn: async () => {
      input.requireValues();
      return offeredModels(stored, entry);
    },
    onSuccess: (names) => {
      setTyped(false);
      if (names !== null && !names.includes(model)) change({ model: preferredModel(names) });
    },
  });
  const use = useMutation({
    mutationFn: ({ overwrite }: { overwrite: boolean }) =>
      answerByDefault(stored, entry, { name: model.trim(), known: overwrite && theirs !== null ? theirs : known }),
    onSuccess: (result) => {
      if ('theirs' in result) {
        setTheirs(result.theirs);
        return;
      }
      const { providerUuid, milliseconds } = result;
      input.drop();
      for (const noun of ['models', 'pipelines']) void queries.invalidateQueries({ queryKey: [noun] });
      notify.done(t('guidedStart.modelWorks', { milliseconds }));
      keep({ provider_uuid: providerUuid, step: 'hello' });
    },
  });
  const offered = find.data ?? [];
  /** Or it failed: then the name of a model is typed. */
  const isFound = requester !== undefined && (find.isSuccess || find.isError);

  const choose = (name: string) => {
    const config = requesters.find((one) => one.name === name)?.spec.config ?? [];
    change({ requesterName: name, values: defaultsOf(config), model: '' });
    input.typed.drop();
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
          {requesters.some(({ name }) => name === compatibleEndpoint) && (
            <option value={compatibleEndpoint}>{t('models.compatible')}</option>
          )}
          {categories.map((category) => {
            const members = requesters.filter(
              ({ name, spec }) => spec.provider_category === category && name !== compatibleEndpoint,
            );
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
            if (!find.isPending) find.mutate();
          }}
        >
          <SchemaForm
            fields={[...requester.spec.config, keyField]}
            value={values}
            onChange={(next) => {
              change({ values: next });
              // They are those of what was entered before.
              find.reset();
            }}
            typed={input.typed}
            faults={faultsOf(find.error).map((fault) => ({ ...fault, path: fault.path.replace(/^provider\./, '') }))}
          />
          {find.isError && <FailureAlert error={find.error} />}
          <Button type="submit" variant={isFound ? 'outline' : 'primary'} disabled={find.isPending}>
            {t(find.isPending ? 'guidedStart.findingModels' : 'guidedStart.findModels')}
          </Button>
        </form>
      )}
      {isFound && (
        <form
          noValidate
          className="mt-6 space-y-5"
          onSubmit={(event) => {
            event.preventDefault();
            if (model.trim() !== '' && !use.isPending) use.mutate({ overwrite: false });
          }}
        >
          <FieldShell
            id={`${id}-model`}
            label={t('guidedStart.model')}
            help={
              offered.length > 0 ? t('guidedStart.modelsFound', { count: offered.length }) : t('guidedStart.modelHelp')
            }
          >
            {offered.length > 0 && (
              <Select
                id={`${id}-model`}
                className="max-w-md"
                aria-describedby={`${id}-model-help`}
                value={isTyped ? '' : model}
                onChange={({ target: { value } }) => {
                  setTyped(value === '');
                  change({ model: value });
                  use.reset();
                }}
              >
                {offered.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
                <option value="">{t('guidedStart.anotherModel')}</option>
              </Select>
            )}
            {(isTyped || offered.length === 0) && (
              <Input
                id={offered.length > 0 ? `${id}-typed` : `${id}-model`}
                aria-label={offered.length > 0 ? t('guidedStart.anotherModelName') : undefined}
                className="max-w-md"
                autoComplete="off"
                spellCheck={false}
                aria-describedby={`${id}-model-help`}
                value={model}
                onChange={(event) => {
                  change({ model: event.target.value });
                  use.reset();
                }}
              />
            )}
          </FieldShell>
          {use.isError && <FailureAlert error={use.error} />}
          {theirs !== null && (
            <ConflictNotice
              differences={overwrites(known, theirs, model.trim())}
              labelOf={(path) => t(path === 'model' ? 'guidedStart.model' : 'guidedStart.key')}
              isSaving={use.isPending}
              onOverwrite={() => use.mutate({ overwrite: true })}
              onTakeTheirs={() => {
                input.drop();
                keep({ step: 'hello' });
              }}
            />
          )}
          <p role="status" className="flex items-center gap-2.5 text-sm empty:hidden">
            {use.isPending && (
              <>
                <LoaderCircle aria-hidden className="size-4.5 motion-safe:animate-spin" />
                {t('guidedStart.testingModel')}
              </>
            )}
          </p>
          <Button type="submit" disabled={model.trim() === '' || use.isPending}>
            {t('guidedStart.useModel')}
          </Button>
        </form>
      )}
      <div className="mt-7 flex flex-wrap gap-2 border-t pt-5">
        <Button variant="outline" onClick={() => keep({ step: 'hello' })}>
          {t(isDemoOnly ? 'guidedStart.keepDemo' : 'guidedStart.keepModel')}
        </Button>
        <Button variant="ghost" onClick={() => keep({ step: 'messenger' })}>
          {t('common.back')}
        </Button>
      </div>
    </div>
  );
}
