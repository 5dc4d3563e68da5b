import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';

interface SortButtonProps {
  heading: string;
  present: 'ascending' | 'descending' | undefined;
  /** Null for the order without a choice. */
  onSort: (order: 'ascending' | 'descending' | null) => void;
}

/** A heading that sorts its table. Cards of phones have no headings; they are sorted by a select. */
export function SortButton({ heading, present, onSort }: SortButtonProps) {
  const { t } = useTranslation();
  const Arrow = present === 'descending' ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      title={t(`lists.sort.${present ?? 'none'}`, { order: heading })}
      onClick={() => onSort(present === undefined ? 'ascending' : present === 'ascending' ? 'descending' : null)}
      className="-mx-1 inline-flex items-center gap-1 rounded px-1 font-medium hover:text-foreground max-md:hidden"
    >
      {heading}
      {present && <Arrow aria-hidden className="size-3.5" />}
    </button>
  );
}
