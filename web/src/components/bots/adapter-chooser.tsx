import { useTranslation } from 'react-i18next';
import { localized } from '../../lib/i18n.ts';
import { KindChooser } from '../kind-chooser.tsx';
import { AdapterIcon } from './adapter-name.tsx';
import type { Adapter } from './bot-queries.ts';

const categories = ['popular', 'china', 'global', 'protocol', 'other'] as const;

interface AdapterChooserProps {
  adapters: readonly Adapter[];
  /** Called with the name of the selected platform. */
  onChoose: (name: string) => void;
}

/** The platforms, by category. */
export function AdapterChooser({ adapters, onChoose }: AdapterChooserProps) {
  const { t } = useTranslation();
  const kindOf = ({ name, label, description }: Adapter) => ({
    name,
    label: localized(label),
    text: localized(description),
    icon: <AdapterIcon name={name} className="size-9" />,
  });
  return (
    <KindChooser
      categories={categories.map((category) => ({
        name: category,
        label: t(`bots.categories.${category}`),
        kinds: adapters.filter((adapter) => categoryOf(adapter) === category).map(kindOf),
      }))}
      find={{ label: t('bots.find'), none: t('bots.noneFound') }}
      onChoose={onChoose}
    />
  );
}

/** The first of its categories with a heading. */
function categoryOf({ spec }: Adapter): (typeof categories)[number] {
  return categories.find((category) => spec.categories.includes(category)) ?? 'other';
}
