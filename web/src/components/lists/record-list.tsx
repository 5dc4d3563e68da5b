import type { UseQueryResult } from '@tanstack/react-query';
import { SearchX, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../data-table.tsx';
import { Pager } from '../pager.tsx';
import { Empty } from '../states/empty.tsx';
import { Loaded } from '../states/loaded.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Select } from '../ui/select.tsx';
import { BulkBar, type BulkOptions } from './bulk-bar.tsx';
import { ExportMenu } from './export-menu.tsx';
import { type ListSearch, pageSize, type SearchChange, sortOf } from './list-search.ts';
import { noSelection, type Selection } from './selection.ts';
import { SortButton } from './sort-button.tsx';
import { TypedFilter } from './typed-filter.tsx';
import { useHeldKeys } from './use-deletion.ts';

interface RecordListProps<Row, Id extends string | number, Filter extends object> {
  /** Caption of the table. */
  label: string;
  columns: readonly Column<Row>[];
  query: UseQueryResult<{ rows: Row[]; total: number }>;
  idOf: (row: Row) => Id;
  nameOf: (row: Row) => string;
  search: ListSearch;
  /** The order without a choice; with a minus sign, descending. */
  fallbackOrder: string;
  /** Writes changes to the address. */
  onSearch: (change: SearchChange<ListSearch>) => void;
  /** Controls beside the search. */
  filters?: ReactNode;
  /** The filters, with the search, as the API takes them. */
  filter: Filter;
  onClear: () => void;
  /** Shown while there are no records at all. */
  empty: ReactNode;
  searchLabel?: string;
  actions?: (row: Row) => ReactNode;
  /** What can be done with many records; without it, none can be selected. */
  bulk?: BulkOptions<Id, Filter>;
  /** Of the route and of the file. */
  exported: { path: string; file: string };
  /** Name of the records in keys of deletions. */
  noun: string;
}

/** Records of one kind: search, filters, order and pages, all in the address, and actions on many of them. */
export function RecordList<Row, Id extends string | number, Filter extends object>(
  properties: RecordListProps<Row, Id, Filter>,
) {
  const { query, empty, filter, search } = properties;
  const [selection, setSelection] = useState<Selection<Id>>(noSelection);
  const isFiltered = Object.values(filter).some((value) => value !== undefined) || search.page !== undefined;
  // What is selected by a filter is another selection when the filter changes.
  const filterText = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    setSelection((current) => (current.kind === 'all' ? noSelection : current));
  }, [filterText]);
  return (
    <Loaded query={query} rows={8}>
      {({ rows, total }) =>
        total === 0 && !isFiltered && selection.kind === 'none' ? (
          empty
        ) : (
          <Listed
            {...properties}
            rows={rows}
            total={total}
            isFiltered={isFiltered}
            selection={selection}
            onSelect={setSelection}
          />
        )
      }
    </Loaded>
  );
}

interface ListedProps<Row, Id extends string | number, Filter extends object> extends RecordListProps<Row, Id, Filter> {
  rows: Row[];
  total: number;
  isFiltered: boolean;
  selection: Selection<Id>;
  onSelect: (selection: Selection<Id>) => void;
}

function Listed<Row, Id extends string | number, Filter extends object>(properties: ListedProps<Row, Id, Filter>) {
  const { label, columns, rows: all, total: allMatches, idOf, nameOf, search, fallbackOrder, onSearch } = properties;
  const { filter, filters, isFiltered, onClear, actions, bulk, exported, selection, onSelect, noun } = properties;
  const { t } = useTranslation();
  const held = useHeldKeys();
  const rows = all.filter((row) => !held.has(`${noun}/${idOf(row)}`));
  const total = Math.max(0, allMatches - (all.length - rows.length));
  const { page = 1 } = search;
  // The last page may be gone after a deletion.
  const isBehind = all.length === 0 && allMatches > 0;
  useEffect(() => {
    if (isBehind) onSearch({ page: Math.ceil(allMatches / pageSize) });
  }, [isBehind, allMatches, onSearch]);

  const order = sortOf(search.sort ?? fallbackOrder);
  const sort = (name: string, isDescending: boolean) => {
    const next = `${isDescending ? '-' : ''}${name}`;
    onSearch({ sort: next === fallbackOrder ? undefined : next, page: undefined });
  };
  const orderOf = (column: Column<Row>) =>
    column.order !== order.order ? undefined : order.isDescending ? 'descending' : 'ascending';
  const isSelected = (row: Row) =>
    selection.kind === 'all' || (selection.kind === 'some' && selection.ids.has(idOf(row)));
  const select = (chosen: readonly Row[], wanted: boolean) => {
    // All but one is no longer all: what is on other pages is left out.
    const ids = new Set(selection.kind === 'some' ? selection.ids : selection.kind === 'all' ? rows.map(idOf) : []);
    for (const row of chosen) {
      if (wanted) ids.add(idOf(row));
      else ids.delete(idOf(row));
    }
    onSelect(ids.size === 0 ? noSelection : { kind: 'some', ids });
  };
  const count = rows.filter(isSelected).length;

  return (
    <>
      <search className="mb-3 flex flex-wrap items-center gap-2">
        <TypedFilter
          label={properties.searchLabel ?? t('lists.search')}
          value={search.q}
          longest={200}
          onChange={(q) => onSearch({ q, page: undefined })}
          className="min-w-0 flex-1 basis-56 sm:max-w-sm"
          hasIcon
        />
        {filters}
        {isFiltered && (
          <Button variant="ghost" onClick={onClear}>
            <X aria-hidden />
            {t('lists.clear')}
          </Button>
        )}
      </search>
      <div className="mb-3 flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        {bulk && rows.length > 0 && (
          <Checkbox
            aria-label={t('lists.selectPage')}
            className="md:ml-4"
            checked={count === rows.length}
            isMixed={count > 0 && count < rows.length}
            onChange={() => select(rows, count < rows.length)}
          />
        )}
        {bulk && selection.kind !== 'none' ? (
          <BulkBar
            selection={selection}
            onSelect={onSelect}
            total={total}
            rows={rows.map((row) => ({ id: idOf(row), name: nameOf(row) }))}
            filter={filter}
            noun={noun}
            exported={exported}
            {...bulk}
          />
        ) : (
          <>
            <p role="status" className="text-muted-foreground">
              {t('lists.matches', { count: total })}
            </p>
            <div className="ml-auto flex items-center gap-2">
              <Select
                aria-label={t('lists.sortBy')}
                className="w-44 md:hidden"
                value={`${order.isDescending ? '-' : ''}${order.order}`}
                onChange={({ target: { value } }) => {
                  const chosen = sortOf(value);
                  sort(chosen.order, chosen.isDescending);
                }}
              >
                {!columns.some((column) => column.order === sortOf(fallbackOrder).order) && (
                  <option value={fallbackOrder}>{t('lists.unsorted')}</option>
                )}
                {columns.map(
                  ({ order: name, heading }) =>
                    name !== undefined && [
                      <option key={name} value={name}>
                        {t('lists.ascending', { order: heading })}
                      </option>,
                      <option key={`-${name}`} value={`-${name}`}>
                        {t('lists.descending', { order: heading })}
                      </option>,
                    ],
                )}
              </Select>
              {rows.length > 0 && (
                <ExportMenu
                  {...exported}
                  query={{
                    ...filter,
                    sort_by: order.order,
                    sort_order: order.isDescending ? 'DESC' : 'ASC',
                  }}
                />
              )}
            </div>
          </>
        )}
      </div>
      {rows.length === 0 ? (
        isFiltered || selection.kind !== 'none' ? (
          <Empty icon={SearchX} title={t('lists.nothing')} text={t('lists.nothingText')} />
        ) : (
          properties.empty
        )
      ) : (
        <DataTable
          label={label}
          columns={columns}
          rows={rows}
          rowKey={(row) => String(idOf(row))}
          order={{
            of: orderOf,
            heading: (column) => (
              <SortButton
                heading={column.heading}
                present={orderOf(column)}
                onSort={(next) =>
                  next === null
                    ? onSearch({ sort: undefined, page: undefined })
                    : sort(column.order ?? '', next === 'descending')
                }
              />
            ),
          }}
          {...(actions && { actions })}
          {...(bulk && {
            selection: (row: Row) => (
              <Checkbox
                data-row-selection
                aria-label={t('lists.select', { name: nameOf(row) })}
                checked={isSelected(row)}
                onChange={(event) => select([row], event.target.checked)}
              />
            ),
          })}
        />
      )}
      <Pager
        page={page}
        total={total}
        size={pageSize}
        previous={t('lists.pager.previous')}
        next={t('lists.pager.next')}
        onChange={(next) => onSearch({ page: next === 1 ? undefined : next })}
      />
    </>
  );
}
