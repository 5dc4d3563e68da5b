import { BookOpen, FileJson } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/copy-button.tsx';
import { Page, Section } from '../../components/page.tsx';
import { buttonVariants } from '../../components/ui/button.tsx';
import { serverAddress } from '../../lib/server-address.ts';

const withKey = `curl '${serverAddress}/api/v1/pipelines' \\
  -H 'X-API-Key: lbk_…'`;

const withToken = `TOKEN=$(curl -s '${serverAddress}/api/v1/user/auth' \\
  -H 'Content-Type: application/json' \\
  -d '{"user": "…", "password": "…"}' | jq -r .data.token)

curl '${serverAddress}/api/v1/user/info' \\
  -H "Authorization: Bearer $TOKEN"`;

/** How to call this server: URL, example, and API description. */
export function ReferencePage() {
  const { t } = useTranslation();
  return (
    <Page
      title={t('navigation.reference')}
      introduction={t('reference.introduction')}
      actions={
        <a href={`${serverAddress}/docs`} target="_blank" rel="noreferrer" className={buttonVariants()}>
          <BookOpen aria-hidden />
          {t('reference.browse')}
        </a>
      }
    >
      <Section title={t('reference.address')} text={t('reference.addressText')}>
        <Code text={`${serverAddress}/api/v1`} />
      </Section>
      <Section title={t('reference.key')} text={t('reference.keyText')}>
        <Code text={withKey} />
      </Section>
      <Section title={t('reference.token')} text={t('reference.tokenText')}>
        <Code text={withToken} />
      </Section>
      <Section title={t('reference.file')} text={t('reference.fileText')}>
        <a
          href={`${serverAddress}/api/v1/openapi.json`}
          target="_blank"
          rel="noreferrer"
          className={buttonVariants({ variant: 'outline', size: 'small' })}
        >
          <FileJson aria-hidden />
          {'openapi.json'}
        </a>
      </Section>
    </Page>
  );
}

function Code({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-start gap-2 rounded-2xl border bg-card p-2 pl-4">
      <pre className="min-w-0 flex-1 self-center py-1 font-mono text-sm break-all whitespace-pre-wrap">{text}</pre>
      <CopyButton iconOnly text={() => text} label={t('common.copy')} copiedLabel={t('common.copied')} />
    </div>
  );
}
