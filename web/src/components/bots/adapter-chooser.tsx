import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localized } from '../../lib/i18n.ts';
import { Input } from '../ui/input.tsx';
import { Label } from '../ui/label.tsx';
import { AdapterIcon } from './adapter-name.tsx';
import type { Adapter } from './bot-queries.ts';

const categories = ['popular', 'china', 'global', 'protocol', 'other'] as const;
type Category = (typeof categories)[number];

/** From how many messengers on they can be searched. */
const manyAdapters = 9;

interface AdapterChooserProps {
  adapters: readonly Adapter[];
  onChoose: (adapter: Adapter) => void;
}

/** The messengers that bots can be made for, by category. */
export function AdapterChooser({ adapters, onChoose }: AdapterChooserProps) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState('');
  const field = useId();
  const found = adapters.filter(
    ({ name, label }) =>
      name.toLowerCase().includes(wanted.trim().toLowerCase()) ||
      localized(label).toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  return (
    <div className="space-y-6">
      {adapters.length >= manyAdapters && (
        <div className="max-w-sm space-y-1.5">
          <Label htmlFor={field}>{t('bots.find')}</Label>
          <Input id={field} type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
        </div>
      )}
      <p role="status" className="text-muted-foreground empty:hidden">
        {found.length === 0 && t('bots.noneFound')}
      </p>
      {categories.map((category) => {
        const members = found.filter((adapter) => categoryOf(adapter) === category);
        if (members.length === 0) return null;
        return (
          <section key={category}>
            <h2 className="mb-2 text-sm font-medium text-muted-foreground">{t(`bots.categories.${category}`)}</h2>
            <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
              {members.map((adapter) => (
                <li key={adapter.name}>
                  <button
                    type="button"
                    onClick={() => onChoose(adapter)}
                    className="flex h-full w-full items-start gap-3 rounded-2xl border bg-card p-4 text-left transition-colors hover:border-ring hover:bg-muted/50"
                  >
                    <AdapterIcon name={adapter.name} className="mt-0.5 size-9" />
                    <span className="min-w-0">
                      <span className="block font-medium">{localized(adapter.label)}</span>
                      <span className="block text-sm text-pretty text-muted-foreground">
                        {localized(adapter.description)}
                      </span>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

/** The first of its categories that there is a heading for. */
function categoryOf({ spec }: Adapter): Category {
  return categories.find((category) => spec.categories.includes(category)) ?? 'other';
}
