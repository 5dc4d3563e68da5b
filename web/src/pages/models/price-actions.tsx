import { useQuery } from '@tanstack/react-query';
import { Coins, Import, Lightbulb } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { priceCurrencyQuery } from '../../lib/price-currency.ts';
import { ImportPricesDialog } from './import-prices-dialog.tsx';
import { pricesQuery } from './model-queries.ts';
import { PriceCurrencyDialog } from './price-currency-dialog.tsx';
import { SuggestedPricesDialog } from './suggested-prices-dialog.tsx';

/** The currency of prices, suggestions for them, and import of a price list. */
export function PriceActions() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<'currency' | 'suggestions' | 'import' | null>(null);
  const currency = useQuery(priceCurrencyQuery).data;
  const prices = useQuery(pricesQuery).data;
  const close = () => setOpened(null);
  if (currency === undefined || prices === undefined) return null;
  return (
    <div className="mb-5 flex flex-wrap gap-2">
      <Button variant="outline" size="small" onClick={() => setOpened('suggestions')}>
        <Lightbulb aria-hidden />
        {t('models.suggestedPrices')}
      </Button>
      <Button variant="outline" size="small" onClick={() => setOpened('import')}>
        <Import aria-hidden />
        {t('models.importPrices')}
      </Button>
      <Button variant="outline" size="small" onClick={() => setOpened('currency')}>
        <Coins aria-hidden />
        {t('models.currencyIs', { currency: currency.currency ?? t('common.none') })}
      </Button>
      {opened === 'suggestions' && <SuggestedPricesDialog prices={prices} currency={currency} onClose={close} />}
      {opened === 'import' && <ImportPricesDialog onClose={close} />}
      {opened === 'currency' && <PriceCurrencyDialog stored={currency} onClose={close} />}
    </div>
  );
}
