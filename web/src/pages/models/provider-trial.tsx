import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { requesterOf } from './compatible-endpoint.ts';
import { isModelKind, type ModelKind, modelKinds, offeredKind } from './model-kind.ts';
import { type Requester, testModel } from './model-queries.ts';
import { filledKeys, type ProviderEntry } from './provider-fields.tsx';
import { TestOutcome } from './test-outcome.tsx';

/** Tests a model of a provider with the current input, before anything is stored. */
export function ProviderTrial({ requester, entry }: { requester: Requester; entry: ProviderEntry }) {
  const { t } = useTranslation();
  const id = useId();
  const kinds = modelKinds.filter((kind) => requester.spec.support_type.includes(offeredKind(kind)));
  const input = useKeptInput(`provider-trial:${requester.name}`, () => ({
    kind: (kinds[0] ?? 'llm') as ModelKind,
    name: '',
  }));
  const { kind, name } = input.value;
  const test = useMutation({
    mutationFn: () =>
      testModel(kind, {
        name: name.trim(),
        provider: {
          requester: requesterOf(requester.name),
          base_url: entry.base_url.trim(),
          api_keys: filledKeys(entry.api_keys),
        },
      }),
    onSuccess: input.drop,
  });
  return (
    <fieldset className="space-y-3 rounded-2xl border bg-card p-4 sm:p-5">
      <legend className="sr-only">{t('models.tryTitle')}</legend>
      <div>
        <p aria-hidden className="font-medium">
          {t('models.tryTitle')}
        </p>
        <p className="text-sm text-muted-foreground">{t('models.tryText')}</p>
      </div>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-48 space-y-1.5">
          <Label htmlFor={`${id}-name`}>{t('models.modelName')}</Label>
          <Input
            id={`${id}-name`}
            value={name}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => input.change({ ...input.value, name: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // Must not submit the surrounding form.
              event.preventDefault();
              if (name.trim() !== '' && !test.isPending) test.mutate();
            }}
          />
        </div>
        {kinds.length > 1 && (
          <div className="basis-36 space-y-1.5">
            <Label htmlFor={`${id}-kind`}>{t('models.kind')}</Label>
            <Select
              id={`${id}-kind`}
              value={kind}
              onChange={({ target: { value } }) => isModelKind(value) && input.change({ ...input.value, kind: value })}
            >
              {kinds.map((one) => (
                <option key={one} value={one}>
                  {t(`models.kindNames.${one}`)}
                </option>
              ))}
            </Select>
          </div>
        )}
        <Button variant="outline" disabled={name.trim() === '' || test.isPending} onClick={() => test.mutate()}>
          {t('common.test')}
        </Button>
      </div>
      <TestOutcome test={test} />
    </fieldset>
  );
}
