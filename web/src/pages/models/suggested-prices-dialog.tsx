import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Checkbox } from '../../components/ui/checkbox.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { notify } from '../../lib/notify.ts';
import { useMoney } from '../../lib/price-currency.ts';
import {
  type ModelPrice,
  type PriceCurrency,
  type PriceSuggestion,
  savePrice,
  suggestionsQuery,
} from './model-queries.ts';

interface SuggestedPricesDialogProps {
  prices: readonly ModelPrice[];
  currency: PriceCurrency;
  onClose: () => void;
}

/** Prices of a published price list for the installed models; those that are selected are set. */
export function SuggestedPricesDialog({ prices, currency, onClose }: SuggestedPricesDialogProps) {
  const { t, i18n } = useTranslation();
  const queries = useQueryClient();
  const field = useId();
  const money = useMoney();
  const suggestions = useQuery(suggestionsQuery);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  // Without a currency, prices are numbers that the operator knows the meaning of.
  const rate = currency.currency === null ? 1 : currency.usd_rate;
  const known = new Map(prices.map((price) => [price.model_name, price]));
  const converted = (price: number) => Number((price * (rate ?? 1)).toPrecision(6));
  const isOther = ({ model_name, input_price, output_price }: PriceSuggestion) => {
    const price = known.get(model_name);
    return price?.input_price !== converted(input_price) || price.output_price !== converted(output_price);
  };
  const apply = useMutation({
    mutationFn: async (chosen: readonly PriceSuggestion[]) => {
      for (const { model_name, input_price, output_price } of chosen) {
        await savePrice(model_name, converted(input_price), converted(output_price));
      }
    },
    onSuccess: (_, chosen) => {
      notify.done(t('models.pricesImported', { count: chosen.length }));
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['model-prices'] }),
  });
  return (
    <Dialog title={t('models.suggestedPrices')} width="wide" onClose={onClose}>
      <Loaded query={suggestions}>
        {({ suggestions: all, source }) => {
          const offered = all.filter(isOther);
          const chosen = offered.filter(({ model_name }) => !left.has(model_name));
          const toggle = (name: string) =>
            setLeft(
              (before) => new Set(before.has(name) ? [...before].filter((one) => one !== name) : [...before, name]),
            );
          const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeZone: 'UTC' });
          return (
            <div className="mt-2 space-y-4">
              <p className="text-pretty text-muted-foreground">
                {t('models.suggestedPricesText', {
                  name: source.name,
                  version: source.version,
                  date: date.format(new Date(source.date)),
                })}
              </p>
              {rate === null && (
                <Alert variant="notice">{t('models.needsRate', { currency: currency.currency })}</Alert>
              )}
              {offered.length === 0 ? (
                <p>{t(all.length === 0 ? 'models.noSuggestions' : 'models.suggestionsUsed')}</p>
              ) : (
                <ul
                  aria-label={t('models.suggestedPrices')}
                  className="max-h-96 divide-y overflow-y-auto rounded-xl border"
                >
                  {offered.map((suggestion) => {
                    const { model_name, provider_name, is_tiered } = suggestion;
                    const before = known.get(model_name);
                    return (
                      <li key={model_name}>
                        <label
                          htmlFor={`${field}-${model_name}`}
                          className="flex cursor-pointer items-start gap-3 px-4 py-2.5 text-sm"
                        >
                          <Checkbox
                            id={`${field}-${model_name}`}
                            className="mt-0.5"
                            checked={!left.has(model_name)}
                            onChange={() => toggle(model_name)}
                          />
                          <span className="min-w-0 flex-1">
                            <span className="block font-medium break-all">{model_name}</span>
                            <span className="block text-muted-foreground">
                              {[provider_name, is_tiered && t('models.tiered')].filter(Boolean).join(' · ')}
                            </span>
                          </span>
                          <span className="shrink-0 text-right tabular-nums">
                            <span className="block">
                              {`${money(converted(suggestion.input_price), 6)} / ${money(converted(suggestion.output_price), 6)}`}
                            </span>
                            {before !== undefined && (
                              <span className="block text-muted-foreground">
                                {t('models.priceNow', {
                                  price: `${money(before.input_price, 6)} / ${money(before.output_price, 6)}`,
                                })}
                              </span>
                            )}
                          </span>
                        </label>
                      </li>
                    );
                  })}
                </ul>
              )}
              {apply.isError && <FailureAlert error={apply.error} />}
              <div className="flex justify-end gap-2">
                <Button variant="outline" onClick={onClose}>
                  {t('common.close')}
                </Button>
                <Button
                  disabled={rate === null || chosen.length === 0 || apply.isPending}
                  onClick={() => apply.mutate(chosen)}
                >
                  {t('models.usePrices', { count: chosen.length })}
                </Button>
              </div>
            </div>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
