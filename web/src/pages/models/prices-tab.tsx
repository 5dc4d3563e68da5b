import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Coins } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Empty } from '../../components/states/empty.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { useKeptInput } from '../../lib/kept-drafts.ts';
import { notify } from '../../lib/notify.ts';
import { useMoney } from '../../lib/price-currency.ts';
import { type ModelPrice, pricesQuery, savePrice } from './model-queries.ts';
import { NewPriceForm } from './new-price-form.tsx';
import { PriceActions } from './price-actions.tsx';
import { PriceInput } from './price-input.tsx';
import { priceOf } from './price-of.ts';

/** Model prices, editable in place. */
export function PricesTab() {
  const { t } = useTranslation();
  const prices = useQuery(pricesQuery);
  return (
    <>
      <p className="mb-5 max-w-2xl text-pretty text-muted-foreground">{t('models.pricesText')}</p>
      <PriceActions />
      <NewPriceForm />
      <Loaded query={prices}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={Coins} title={t('models.noPrices')} text={t('models.noPricesText')} />
          ) : (
            <PriceTable prices={rows} />
          )
        }
      </Loaded>
    </>
  );
}

interface Edit {
  name: string;
  input: string;
  output: string;
}

function PriceTable({ prices }: { prices: readonly ModelPrice[] }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const input = useKeptInput('price', () => ({ edit: null as Edit | null }));
  const { edit } = input.value;
  const setEdit = (next: Edit | null) => input.change({ edit: next });
  const money = useMoney();
  const read = () => queries.invalidateQueries({ queryKey: ['model-prices'] });
  const save = useMutation({
    mutationFn: ({ name, input, output }: Edit) => savePrice(name, priceOf(input) ?? 0, priceOf(output) ?? 0),
    onSuccess: async (_, { name }) => {
      notify.done(t('models.priceSaved', { name }));
      await read();
      setEdit(null);
    },
    onError: notify.failed,
  });
  const remove = useMutation({
    mutationFn: ({ model_name }: ModelPrice) =>
      api.delete('/api/v1/provider/model-prices/{model_name}', { params: { path: { model_name } } }),
    onSuccess: (_, { model_name, input_price, output_price }) => {
      notify.done(t('models.priceDeleted', { name: model_name }), {
        label: t('models.undo'),
        onClick: () => void savePrice(model_name, input_price, output_price).then(read, notify.failed),
      });
      document.getElementById('content')?.focus();
    },
    onError: notify.failed,
    onSettled: read,
  });
  const isValid = edit !== null && priceOf(edit.input) !== null && priceOf(edit.output) !== null;
  const store = () => {
    if (edit !== null && isValid && !save.isPending) save.mutate(edit);
  };
  const cell = (field: 'input' | 'output', price: ModelPrice) =>
    edit?.name === price.model_name ? (
      <PriceInput
        label={t('models.priceOf', { what: t(`models.${field}Price`), name: price.model_name })}
        value={edit[field]}
        autoFocus={field === 'input'}
        onChange={(value) => setEdit({ ...edit, [field]: value })}
        onEnter={store}
        onEscape={() => setEdit(null)}
      />
    ) : (
      money(price[`${field}_price`], 6)
    );

  const columns: Column<ModelPrice>[] = [
    {
      key: 'model',
      heading: t('models.model'),
      isTitle: true,
      cell: (price) => <span className="break-all">{price.model_name}</span>,
    },
    { key: 'input', heading: t('models.inputShort'), align: 'end', cell: (price) => cell('input', price) },
    { key: 'output', heading: t('models.outputShort'), align: 'end', cell: (price) => cell('output', price) },
    { key: 'updated', heading: t('common.updated'), cell: ({ updated_at }) => <RelativeTime timestamp={updated_at} /> },
  ];

  return (
    <DataTable
      label={t('models.prices')}
      columns={columns}
      rows={prices}
      rowKey={({ model_name }) => model_name}
      actions={(price) =>
        edit?.name === price.model_name ? (
          <div className="flex justify-end gap-1 py-1">
            <Button
              size="small"
              aria-label={t('models.savePrice', { name: price.model_name })}
              disabled={!isValid || save.isPending}
              onClick={store}
            >
              {t('common.save')}
            </Button>
            <Button variant="ghost" size="small" onClick={() => setEdit(null)}>
              {t('common.cancel')}
            </Button>
          </div>
        ) : (
          <ActionMenu
            subject={price.model_name}
            onEdit={() =>
              setEdit({
                name: price.model_name,
                input: String(price.input_price),
                output: String(price.output_price),
              })
            }
            onDelete={() => remove.mutate(price)}
          />
        )
      }
    />
  );
}
