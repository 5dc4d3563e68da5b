import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isPublicAddress } from '../../lib/public-address.ts';
import { systemInfoQuery } from '../../lib/system-info.ts';
import type { FormValue } from '../forms/form-field.ts';
import { InlineCode } from '../inline-code.tsx';
import { Alert } from '../ui/alert.tsx';
import type { Adapter } from './bot-queries.ts';

/** The field of each platform that has the choice. */
const field = 'enable-webhook';

interface WebhookWarningProps {
  adapter: Adapter;
  /** As it is typed; it need not be stored. */
  config: FormValue;
}

/** Warns that a webhook was chosen which no platform on the internet can reach. Else renders nothing. */
export function WebhookWarning({ adapter, config }: WebhookWarningProps) {
  const { t } = useTranslation();
  const info = useQuery(systemInfoQuery);
  const isChosen = config[field] === true && adapter.spec.config.some(({ name }) => name === field);
  if (!isChosen || info.data === undefined || isPublicAddress(info.data.public_url ?? '')) return null;
  return (
    <Alert variant="notice">
      <InlineCode text={t('bots.webhookNeedsPublic')} />
    </Alert>
  );
}
