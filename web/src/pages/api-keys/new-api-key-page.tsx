import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BackLink } from '../../components/back-link.tsx';
import { CodeExample } from '../../components/code-example.tsx';
import { OnceSecret } from '../../components/once-secret.tsx';
import { Page } from '../../components/page.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { serverAddress } from '../../lib/server-address.ts';
import type { ApiKey } from './api-key-queries.ts';
import { NewApiKeyForm } from './new-api-key-form.tsx';

/** Creates a key and shows it once. The browser does not store it. */
export function NewApiKeyPage() {
  const { t } = useTranslation();
  const [made, setMade] = useState<ApiKey | null>(null);
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (made !== null) shown.current?.focus();
  }, [made]);
  return (
    <Page
      title={t(made === null ? 'apiKeys.newTitle' : 'apiKeys.madeTitle')}
      introduction={t(made === null ? 'apiKeys.newText' : 'apiKeys.madeText')}
      back={made === null && <BackLink to="/api-keys">{t('apiKeys.toList')}</BackLink>}
    >
      {made === null ? (
        <NewApiKeyForm onMade={setMade} />
      ) : (
        <div ref={shown} tabIndex={-1} className="max-w-2xl space-y-6 outline-none">
          <OnceSecret
            label={made.name}
            secret={made.key}
            copyLabel={t('apiKeys.copyKey')}
            copiedLabel={t('common.copied')}
          />
          <CodeExample
            label={t('apiKeys.example')}
            code={exampleOf(made)}
            copyLabel={t('apiKeys.copyExample')}
            copiedLabel={t('common.copied')}
          />
          <ButtonLink to="/api-keys">{t('apiKeys.done')}</ButtonLink>
        </div>
      )}
    </Page>
  );
}

/** An example call for the scopes of a key. */
function exampleOf({ key, scopes }: ApiKey): string {
  const credential = `-H 'X-API-Key: ${key}'`;
  if (scopes.includes('read')) return `curl '${serverAddress}/api/v1/platform/bots' ${credential}`;
  if (scopes.includes('send')) return `curl '${serverAddress}/v1/models' -H 'Authorization: Bearer ${key}'`;
  if (scopes.includes('admin')) return `curl '${serverAddress}/api/v1/apikeys' ${credential}`;
  return `curl '${serverAddress}/api/v1/platform/bots/<uuid>' -X PUT ${credential} \\
  -H 'content-type: application/json' -d '{"enable": true}'`;
}
