import type { PluginManifest } from '@parley/sdk';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/page.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { ContributionList } from './contribution-list.tsx';
import { IsolationNotice } from './isolation-notice.tsx';
import { PermissionList } from './permission-list.tsx';
import { stopsStreaming } from './permission-words.ts';
import { PipelineLinks } from './pipeline-links.tsx';
import type { Differences, Permission } from './plugin-queries.ts';
import { SignatureFacts } from './signature-facts.tsx';
import { VersionDifferences } from './version-differences.tsx';

interface PackageFactsProps {
  manifest: PluginManifest;
  permissions: readonly Permission[];
  contributions: Readonly<Record<string, readonly string[]>>;
  signer: string | null;
  /** As in {@link SignatureFacts}. */
  expected?: string | null | undefined;
  /** From the installed version; null when none is installed. */
  differences: Differences | null;
}

/** What an admin consents to: what a version may do and where, what isolates it, who signed it, what it adds. */
export function PackageFacts(properties: PackageFactsProps) {
  const { manifest, permissions, contributions, signer, expected, differences } = properties;
  const { t } = useTranslation();
  return (
    <>
      {differences !== null && (
        <Section title={t('plugins.differences.title')}>
          <VersionDifferences differences={differences} version={manifest.version} manifest={manifest} />
        </Section>
      )}
      <Section title={t('plugins.permissions')} text={t('plugins.permissionsText')}>
        <div className="space-y-3">
          {stopsStreaming(permissions) && <Alert variant="notice">{t('plugins.stopsStreaming')}</Alert>}
          <PermissionList
            permissions={permissions}
            manifest={manifest}
            added={differences === null ? [] : differences.permissions.added}
          />
        </div>
      </Section>
      <Section title={t('plugins.pipelines')}>
        <PipelineLinks manifest={manifest} />
      </Section>
      <Section title={t('plugins.isolation.title')}>
        <IsolationNotice />
      </Section>
      <Section title={t('plugins.signature.title')}>
        <SignatureFacts signer={signer} expected={expected} />
      </Section>
      <Section title={t('plugins.contributions')}>
        <ContributionList names={contributions} />
      </Section>
    </>
  );
}
