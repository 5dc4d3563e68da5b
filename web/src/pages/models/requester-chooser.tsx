import { useTranslation } from 'react-i18next';
import { KindChooser } from '../../components/kind-chooser.tsx';
import { localized } from '../../lib/i18n.ts';
import type { Requester } from './model-queries.ts';
import { RequesterIcon } from './requester-name.tsx';

const categories = ['manufacturer', 'maas', 'self-hosted', 'builtin'] as const;

interface RequesterChooserProps {
  requesters: readonly Requester[];
  /** Called with the name of the selected one. */
  onChoose: (name: string) => void;
}

/** The requesters, by category. */
export function RequesterChooser({ requesters, onChoose }: RequesterChooserProps) {
  const { t } = useTranslation();
  const kindOf = ({ name, label, description, spec: { unavailable } }: Requester) => ({
    name,
    label: localized(label),
    text: unavailable && localized(unavailable),
    words: localized(description),
    icon: <RequesterIcon name={name} className="size-8" />,
    isUnavailable: unavailable !== undefined,
  });
  return (
    <KindChooser
      categories={categories.map((category) => ({
        name: category,
        label: t(`models.categories.${category}`),
        kinds: requesters.filter(({ spec }) => spec.provider_category === category).map(kindOf),
      }))}
      find={{ label: t('models.findProvider'), none: t('models.noProviderFound') }}
      onChoose={onChoose}
    />
  );
}
