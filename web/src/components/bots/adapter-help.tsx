import { ExternalLink } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { safeLinkAddress } from '../../lib/safe-address.ts';
import type { Adapter } from './bot-queries.ts';

/** A link to the platform's documentation for bots, in the user's language if available. */
export function AdapterHelp({ adapter }: { adapter: Adapter }) {
  const { t, i18n } = useTranslation();
  const links = adapter.spec.help_links;
  const address = safeLinkAddress(links[i18n.language.slice(0, 2)] ?? links.en ?? '');
  if (address === null) return null;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-6 items-center gap-1.5 rounded text-sm font-medium text-primary underline underline-offset-4"
    >
      {t('bots.help')}
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  );
}
