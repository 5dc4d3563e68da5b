import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { notify } from '../../lib/notify.ts';
import { pricesQuery, savePrice } from './model-queries.ts';
import { priceOf } from './price-of.ts';
import { useAllModels } from './use-all-models.ts';

/** Adds the price of a model. */
export function NewPriceForm() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const list = useId();
  const entry = useKeptInput('new-price', () => ({ name: '', input: '', output: '' }));
  const { name, input, output } = entry.value;
  const change = (part: Partial<typeof entry.value>) => entry.change((value) => ({ ...value, ...part }));
  const models = useAllModels() ?? [];
  const prices = useQuery(pricesQuery);
  const priced = new Set(prices.data?.map(({ model_name }) => model_name));
  const names = [...new Set(models.map(({ model }) => model.name))].filter((one) => !priced.has(one.toLowerCase()));
  const save = useMutation({
    mutationFn: () => savePrice(name.trim(), priceOf(input) ?? 0, priceOf(output) ?? 0),
    onSuccess: () => {
      notify.done(t('models.priceSaved', { name: name.trim() }));
      entry.reset();
      return queries.invalidateQueries({ queryKey: ['model-prices'] });
    },
  });
  const faultOf = (value: string) => (value !== '' && priceOf(value) === null ? t('models.invalidPrice') : undefined);
  const isComplete = name.trim() !== '' && priceOf(input) !== null && priceOf(output) !== null;
  return (
    <form
      noValidate
      aria-label={t('models.addPrice')}
      className="mb-6 rounded-2xl border bg-card p-4 sm:p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete && !save.isPending) save.mutate();
      }}
    >
      <div className="grid gap-4 md:grid-cols-[2fr_1fr_1fr]">
        <TextField
          label={t('models.modelName')}
          help={t('models.priceModelHelp')}
          list={list}
          value={name}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ name: event.target.value })}
        />
        <TextField
          label={t('models.inputShort')}
          inputMode="decimal"
          value={input}
          autoComplete="off"
          error={faultOf(input)}
          onChange={(event) => change({ input: event.target.value })}
        />
        <TextField
          label={t('models.outputShort')}
          inputMode="decimal"
          value={output}
          autoComplete="off"
          error={faultOf(output)}
          onChange={(event) => change({ output: event.target.value })}
        />
      </div>
      <datalist id={list}>
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {save.isError && <FailureAlert className="mt-4" error={save.error} />}
      <Button type="submit" className="mt-4" disabled={!isComplete || save.isPending}>
        <Plus aria-hidden />
        {t('models.addPrice')}
      </Button>
    </form>
  );
}
