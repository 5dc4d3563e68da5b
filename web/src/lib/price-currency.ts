import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from './api.ts';
import { numberFormat } from './formats.ts';

/** The currency of prices and costs. */
export const priceCurrencyQuery = queryOptions({
  queryKey: ['price-currency'],
  staleTime: 60_000,
  queryFn: () => api.get('/api/v1/provider/price-currency'),
});

/** Formats amounts in the currency of the installation; without one, as numbers. */
export function useMoney(): (amount: number, digits?: number) => string {
  const { i18n } = useTranslation();
  const currency = useQuery(priceCurrencyQuery).data?.currency ?? null;
  return (amount, digits = 4) =>
    numberFormat(i18n.language, {
      ...(currency !== null && { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
      minimumFractionDigits: 0,
      maximumFractionDigits: digits,
    }).format(amount);
}
