import { useTranslation } from 'react-i18next';
import { KindChooser } from '../../components/kind-chooser.tsx';
import { localized } from '../../lib/i18n.ts';
import { compatibleEndpoint, compatiblePrograms, requesterOf, withCompatibleEndpoint } from './compatible-endpoint.ts';
import type { Requester } from './model-queries.ts';
import { RequesterIcon } from './requester-name.tsx';

const categories = ['custom', 'manufacturer', 'maas', 'self-hosted', 'builtin'] as const;

const categoryOf = ({ name, spec }: Requester) => (name === compatibleEndpoint ? 'custom' : spec.provider_category);

interface RequesterChooserProps {
  requesters: readonly Requester[];
  /** Called with the name of the selected one. */
  onChoose: (name: string) => void;
}

/** The requesters, by category, and the choice of any compatible endpoint first. */
export function RequesterChooser({ requesters, onChoose }: RequesterChooserProps) {
  const { t } = useTranslation();
  const kindOf = ({ name, label, description, spec: { unavailable } }: Requester) => ({
    name,
    label: localized(label),
    text: unavailable && localized(unavailable),
    words: localized(description),
    ...(name === compatibleEndpoint && { text: localized(description), aliases: compatiblePrograms }),
    icon: <RequesterIcon name={requesterOf(name)} className="size-8" />,
    isUnavailable: unavailable !== undefined,
  });
  return (
    <KindChooser
      categories={categories.map((category) => ({
        name: category,
        label: t(`models.categories.${category}`),
        kinds: withCompatibleEndpoint(requesters, t)
          .filter((requester) => categoryOf(requester) === category)
          .map(kindOf),
      }))}
      find={{ label: t('models.findProvider'), none: t('models.noProviderFound') }}
      onChoose={onChoose}
    />
  );
}
