import type { ReactNode } from 'react';
import { classNames } from '../lib/class-names.ts';

export interface Column<Row> {
  key: string;
  heading: string;
  cell: (row: Row) => ReactNode;
  /** On phones, the first line of a row; the other cells follow it with their headings. */
  isTitle?: boolean;
  /** Whether a cell says nothing, and is left out on phones. */
  isEmpty?: (row: Row) => boolean;
  /** Numbers are right-aligned. */
  align?: 'end';
  className?: string;
  /** The order of the list that its heading sorts by. */
  order?: string;
}

/** The order of a table, which its headings change. */
export interface TableOrder<Row> {
  /** Undefined for a column that the table is not sorted by. */
  of: (column: Column<Row>) => 'ascending' | 'descending' | undefined;
  heading: (column: Column<Row>) => ReactNode;
}

interface DataTableProps<Row> {
  /** Caption of the table, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Actions at the end of each row. */
  actions?: (row: Row) => ReactNode;
  /** A control at the start of each row that selects it. */
  selection?: (row: Row) => ReactNode;
  order?: TableOrder<Row>;
}

/** Records as a table, and as rows of a few lines on narrow screens. */
export function DataTable<Row>({ label, columns, rows, rowKey, actions, selection, order }: DataTableProps<Row>) {
  return (
    <div className="overflow-x-auto rounded-2xl border bg-card">
      <table className="w-full border-collapse text-left text-sm max-md:block" aria-label={label}>
        <thead className="max-md:sr-only">
          <tr className="border-b">
            {selection && <td />}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={order?.of(column)}
                className={classNames(
                  'px-4 py-2.5 font-medium whitespace-nowrap text-muted-foreground',
                  column.align && 'text-right',
                )}
              >
                {order === undefined || column.order === undefined ? column.heading : order.heading(column)}
              </th>
            ))}
            {actions && <td />}
          </tr>
        </thead>
        <tbody className="max-md:block">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={classNames(
                'border-b last:border-b-0 max-md:relative max-md:block max-md:px-4 max-md:py-2.5 md:hover:bg-muted/50',
                selection && 'has-[[data-row-selection]:checked]:bg-muted/60',
              )}
            >
              {selection && (
                <td className="w-0 py-3 pl-4 align-middle max-md:absolute max-md:top-3.5 max-md:left-4 max-md:p-0">
                  {selection(row)}
                </td>
              )}
              {columns.map(({ key, heading, cell, isTitle, isEmpty, align, className }) => (
                <td
                  key={key}
                  className={classNames(
                    'px-4 py-3 align-middle max-md:mr-4 max-md:inline-flex max-md:max-w-full max-md:items-center max-md:gap-1.5 max-md:p-0 max-md:leading-6',
                    align && 'text-right tabular-nums',
                    isTitle && 'font-medium max-md:mr-0 max-md:flex max-md:pr-10',
                    isTitle && selection && 'max-md:pl-8',
                    className,
                    isEmpty?.(row) && 'max-md:hidden',
                  )}
                >
                  {!isTitle && <span className="shrink-0 text-xs text-muted-foreground md:hidden">{heading}</span>}
                  <div className="min-w-0 max-md:text-left">{cell(row)}</div>
                </td>
              ))}
              {actions && (
                <td className="px-2 py-1.5 text-right whitespace-nowrap max-md:absolute max-md:top-0.5 max-md:right-1 max-md:p-0">
                  {actions(row)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
