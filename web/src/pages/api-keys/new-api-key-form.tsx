import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CreateForm } from '../../components/forms/create-form.tsx';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Select } from '../../components/ui/select.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { faultsOf } from '../../lib/use-draft.ts';
import { type ApiKey, type Scope, scopes } from './api-key-queries.ts';
import { type ExpiryChoice, expiryChoices, expiryOf } from './expiry.ts';

/** Name, scopes and validity of a new key. */
export function NewApiKeyForm({ onMade }: { onMade: (key: ApiKey) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const id = useId();
  const input = useKeptInput('new-api-key', () => ({
    name: '',
    description: '',
    chosen: ['read'] as Scope[],
    expiry: 'never' as ExpiryChoice,
    day: '',
  }));
  const { name, description, chosen, expiry, day } = input.value;
  const change = (part: Partial<typeof input.value>) => input.change((value) => ({ ...value, ...part }));
  const [isTried, setTried] = useState(false);
  const create = useMutation({
    mutationFn: async () => {
      const expires_at = expiryOf(expiry, day, Date.now()) ?? null;
      const body = { name: name.trim(), description: description.trim(), scopes: chosen, expires_at };
      return (await api.post('/api/v1/apikeys', { body })).key;
    },
    onSuccess: (key) => {
      input.forget();
      void queries.invalidateQueries({ queryKey: ['api-keys'] });
      onMade(key);
    },
  });
  const faults = faultsOf(create.error);
  const faultAt = (path: string) => faults.find((fault) => fault.path.startsWith(path))?.message;
  const isDayMissing = expiryOf(expiry, day, Date.now()) === undefined;
  const isComplete = name.trim() !== '' && chosen.length > 0 && !isDayMissing;
  const descriptionFault = faultAt('description');
  return (
    <CreateForm
      create={create}
      input={input}
      label={t('apiKeys.create')}
      mayBeSent={() => {
        setTried(true);
        return isComplete;
      }}
    >
      <TextField
        label={t('common.name')}
        help={t('apiKeys.nameHelp')}
        value={name}
        autoComplete="off"
        error={isTried && name.trim() === '' ? t('account.required') : faultAt('name')}
        onChange={(event) => change({ name: event.target.value })}
      />
      <FieldShell id={`${id}-text`} label={t('common.description')} error={descriptionFault} isOptional>
        <Textarea
          id={`${id}-text`}
          aria-describedby={describedBy(`${id}-text`, { error: descriptionFault })}
          value={description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </FieldShell>
      <fieldset aria-describedby={`${id}-scopes`}>
        <legend className="text-sm font-medium">{t('apiKeys.scopes')}</legend>
        <p id={`${id}-scopes`} className="mb-2 text-sm text-muted-foreground">
          {t('apiKeys.scopesHelp')}
        </p>
        <div className="divide-y rounded-2xl border bg-card">
          {scopes.map((scope) => (
            <label key={scope} className="flex cursor-pointer items-start gap-3 px-4 py-3">
              <input
                type="checkbox"
                className="mt-0.75 size-4.5 shrink-0 accent-primary"
                checked={chosen.includes(scope)}
                onChange={({ target: { checked } }) =>
                  change({ chosen: scopes.filter((one) => (one === scope ? checked : chosen.includes(one))) })
                }
              />
              <span className="min-w-0">
                <span className="block">{t(`apiKeys.scopeNames.${scope}`)}</span>
                <span className="block text-sm text-muted-foreground">{t(`apiKeys.scopeTexts.${scope}`)}</span>
              </span>
            </label>
          ))}
        </div>
        <p role="status" className="mt-1.5 text-sm text-destructive empty:hidden">
          {chosen.length === 0 && t('apiKeys.scopeNeeded')}
        </p>
      </fieldset>
      <div className="flex flex-wrap items-start gap-5">
        <FieldShell id={`${id}-expiry`} label={t('apiKeys.expiry')}>
          <Select
            id={`${id}-expiry`}
            className="w-48"
            value={expiry}
            onChange={(event) => change({ expiry: event.target.value as ExpiryChoice })}
          >
            {expiryChoices.map((choice) => (
              <option key={choice} value={choice}>
                {t(`apiKeys.expiries.${choice}`)}
              </option>
            ))}
          </Select>
        </FieldShell>
        {expiry === 'own' && (
          <TextField
            label={t('apiKeys.expiryDay')}
            type="date"
            className="w-48"
            value={day}
            error={isTried && isDayMissing ? t('apiKeys.expiryDayNeeded') : faultAt('expires_at')}
            onChange={(event) => change({ day: event.target.value })}
          />
        )}
      </div>
    </CreateForm>
  );
}
