import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Label } from '../../components/ui/label.tsx';
import { Select } from '../../components/ui/select.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { notify } from '../../lib/notify.ts';
import type { PriceCurrency } from './model-queries.ts';
import { priceOf } from './price-of.ts';

interface PriceCurrencyDialogProps {
  stored: PriceCurrency;
  onClose: () => void;
}

/** Sets the currency of prices and costs, and what a US dollar is in it. */
export function PriceCurrencyDialog({ stored, onClose }: PriceCurrencyDialogProps) {
  const { t, i18n } = useTranslation();
  const queries = useQueryClient();
  const field = useId();
  const input = useKeptInput('price-currency', () => ({
    currency: stored.currency ?? '',
    rate: stored.usd_rate === null ? '' : String(stored.usd_rate),
  }));
  const { currency, rate } = input.value;
  const close = () => {
    input.forget();
    onClose();
  };
  const names = new Intl.DisplayNames(i18n.language, { type: 'currency' });
  const known = Intl.supportedValuesOf('currency')
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((left, right) => left.name.localeCompare(right.name, i18n.language));
  const needsRate = currency !== '' && currency !== 'USD';
  const usdRate = needsRate && rate.trim() !== '' ? priceOf(rate) : null;
  const isValid = !needsRate || rate.trim() === '' || (usdRate !== null && usdRate > 0);
  const save = useMutation({
    mutationFn: () =>
      api.put('/api/v1/provider/price-currency', {
        body: { currency: currency === '' ? null : currency, usd_rate: usdRate },
      }),
    onSuccess: () => {
      notify.done(t('common.saved'));
      void queries.invalidateQueries({ queryKey: ['price-currency'] });
      close();
    },
  });
  return (
    <Dialog title={t('models.currency')} onClose={close}>
      <form
        noValidate
        className="mt-2 space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid && !save.isPending) save.mutate();
        }}
      >
        <p className="text-pretty text-muted-foreground">{t('models.currencyText')}</p>
        <div className="space-y-2">
          <Label htmlFor={field}>{t('models.currency')}</Label>
          <Select id={field} value={currency} onChange={({ target }) => input.change({ currency: target.value, rate })}>
            <option value="">{t('common.none')}</option>
            {known.map(({ code, name }) => (
              <option key={code} value={code}>
                {`${name} (${code})`}
              </option>
            ))}
          </Select>
        </div>
        {needsRate && (
          <TextField
            label={t('models.usdRate', { currency })}
            help={t('models.usdRateHelp')}
            error={isValid ? undefined : t('models.invalidRate')}
            inputMode="decimal"
            autoComplete="off"
            value={rate}
            onChange={({ target }) => input.change({ currency, rate: target.value })}
          />
        )}
        {save.isError && <FailureAlert error={save.error} />}
        <div className="flex justify-end gap-2 pt-2">
          <Button variant="outline" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={!isValid || save.isPending}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
