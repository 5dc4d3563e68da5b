import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Input } from '../../components/ui/input.tsx';
import { Label } from '../../components/ui/label.tsx';
import { localized } from '../../lib/i18n.ts';
import type { Requester } from './model-queries.ts';
import { RequesterIcon } from './requester-name.tsx';

const categories = ['manufacturer', 'maas', 'self-hosted', 'builtin'] as const;

interface RequesterChooserProps {
  requesters: readonly Requester[];
  onChoose: (requester: Requester) => void;
}

/** The kinds of providers, by category. */
export function RequesterChooser({ requesters, onChoose }: RequesterChooserProps) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState('');
  const field = useId();
  const text = wanted.trim().toLowerCase();
  const found = requesters.filter(({ name, label, description }) =>
    [name, localized(label), localized(description)].some((words) => words.toLowerCase().includes(text)),
  );
  return (
    <div className="space-y-6">
      <div className="max-w-sm space-y-1.5">
        <Label htmlFor={field}>{t('models.findProvider')}</Label>
        <Input id={field} type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
      </div>
      <p role="status" className="text-muted-foreground empty:hidden">
        {found.length === 0 && t('models.noProviderFound')}
      </p>
      {categories.map((category) => {
        const members = found.filter(({ spec }) => spec.provider_category === category);
        if (members.length === 0) return null;
        return (
          <section key={category}>
            <h2 className="mb-2 text-sm font-medium text-muted-foreground">{t(`models.categories.${category}`)}</h2>
            <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
              {members.map((requester) => {
                const { unavailable } = requester.spec;
                return (
                  <li key={requester.name}>
                    <button
                      type="button"
                      disabled={unavailable !== undefined}
                      onClick={() => onChoose(requester)}
                      className="flex h-full w-full items-center gap-3 rounded-2xl border bg-card p-3.5 text-left transition-colors not-disabled:hover:border-ring not-disabled:hover:bg-muted/50 disabled:cursor-not-allowed"
                    >
                      <RequesterIcon name={requester.name} className="size-8" />
                      <span className="min-w-0">
                        <span className="block font-medium">{localized(requester.label)}</span>
                        {unavailable !== undefined && (
                          <span className="block text-sm text-pretty text-muted-foreground">
                            {localized(unavailable)}
                          </span>
                        )}
                      </span>
                    </button>
                  </li>
                );
              })}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
