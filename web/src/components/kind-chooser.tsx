import { type ReactNode, useId, useState } from 'react';
import { Input } from './ui/input.tsx';
import { Label } from './ui/label.tsx';

/** A type of record: a platform, a requester. */
export interface Kind {
  name: string;
  label: string;
  /** Below the label. */
  text?: string | undefined;
  /** Further names to search by. */
  aliases?: readonly string[];
  /** Search terms where no name fits. */
  words?: string;
  icon: ReactNode;
  isUnavailable?: boolean;
}

interface KindChooserProps {
  /** In order; empty ones are omitted. */
  categories: readonly { name: string; label: string; kinds: readonly Kind[] }[];
  /** Placeholder of the search field, and text for no results. */
  find: { label: string; none: string };
  /** Minimum number of kinds for a search field. */
  manyKinds?: number;
  onChoose: (name: string) => void;
}

/** Selects one of many kinds, by category. */
export function KindChooser({ categories, find, manyKinds = 9, onChoose }: KindChooserProps) {
  const [wanted, setWanted] = useState('');
  const field = useId();
  const text = wanted.trim().toLowerCase();
  const isNamed = ({ name, label, aliases = [] }: Kind) =>
    [name, label, ...aliases].some((one) => one.toLowerCase().includes(text));
  // Descriptions name others: who looks for one by its name does not look for these.
  const areNamed = categories.some(({ kinds }) => kinds.some(isNamed));
  const isFound = (kind: Kind) => (areNamed ? isNamed(kind) : kind.words?.toLowerCase().includes(text) === true);
  const found = categories.map((category) => ({ ...category, kinds: category.kinds.filter(isFound) }));
  const count = categories.reduce((sum, { kinds }) => sum + kinds.length, 0);
  return (
    <div className="space-y-6">
      {count >= manyKinds && (
        <div className="max-w-sm space-y-1.5">
          <Label htmlFor={field}>{find.label}</Label>
          <Input id={field} type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
        </div>
      )}
      <p role="status" className="text-muted-foreground empty:hidden">
        {found.every(({ kinds }) => kinds.length === 0) && find.none}
      </p>
      {found
        .filter(({ kinds }) => kinds.length > 0)
        .map((category) => (
          <section key={category.name}>
            <h2 className="mb-2 text-sm font-medium text-muted-foreground">{category.label}</h2>
            <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
              {category.kinds.map((kind) => (
                <li key={kind.name}>
                  <button
                    type="button"
                    disabled={kind.isUnavailable}
                    onClick={() => onChoose(kind.name)}
                    className="flex h-full w-full items-center gap-3 rounded-2xl border bg-card p-4 text-left transition-colors not-disabled:hover:border-ring not-disabled:hover:bg-muted/50 disabled:cursor-not-allowed"
                  >
                    {kind.icon}
                    <span className="min-w-0">
                      <span className="block font-medium">{kind.label}</span>
                      {kind.text !== undefined && (
                        <span className="block text-sm text-pretty text-muted-foreground">{kind.text}</span>
                      )}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
    </div>
  );
}
