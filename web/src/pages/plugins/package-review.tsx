import type { PluginManifest } from '@parley/sdk';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldShell } from '../../components/forms/field-shell.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { LabelledCheckbox } from '../../components/ui/labelled-checkbox.tsx';
import { Switch } from '../../components/ui/switch.tsx';
import { fileSize } from '../../lib/file-size.ts';
import { localized } from '../../lib/i18n.ts';
import { installPackage } from '../../lib/uploads.ts';
import { type Installed, useInstallation } from './installation.ts';
import { PackageFacts } from './package-facts.tsx';
import { PackageFailure } from './package-failure.tsx';
import { type Inspection, pluginQuery } from './plugin-queries.ts';

interface PackageReviewProps {
  file: File;
  inspection: Inspection;
  onInstalled: (outcome: Installed) => unknown;
  onCancel: () => void;
}

/** What a package is and asks for; an admin installs it with or without consent. */
export function PackageReview({ file, inspection, onInstalled, onCancel }: PackageReviewProps) {
  const { t, i18n } = useTranslation();
  const id = useId();
  const { signature, differences, permissions, contributions, digest, size, files } = inspection;
  // The API describes manifests as objects of anything.
  const manifest = inspection.manifest as unknown as PluginManifest;
  const [enables, setEnables] = useState(true);
  const [replaces, setReplaces] = useState(false);
  const before = useQuery({ ...pluginQuery(manifest.id), enabled: differences !== null });
  const { start, isPending, failure } = useInstallation({ installed: onInstalled });
  const signer = signature?.fingerprint ?? null;
  const isUpdate = differences !== null;
  const installed = before.data?.details;
  /** The same package repairs damaged files. */
  const isRepair = installed?.installed.digest === digest && installed.state === 'damaged';
  const isInstalled = installed?.installed.digest === digest && !isRepair;
  const isOlder = isUpdate && !isRepair && (differences.is_downgrade || differences.is_same_version);
  const needsConsent =
    differences === null || differences.signer_changed || differences.permissions.added.length > 0 || isRepair;
  const install = (consent: boolean) =>
    start(() => {
      const choice: Record<string, string> = { digest };
      if (consent) choice.consent = 'true';
      if (consent && !isUpdate) choice.enable = String(enables);
      if (replaces) choice.allow_downgrade = 'true';
      return installPackage(file, choice, { progress: () => undefined, signal: new AbortController().signal });
    });
  const isBlocked = isPending || isInstalled || (isOlder && !replaces) || (isUpdate && installed === undefined);
  const label = localized(manifest.label);
  return (
    <div className="max-w-3xl">
      <section className="mb-8">
        <h2 className="text-lg font-semibold break-words">{label}</h2>
        <p className="text-sm break-all text-muted-foreground">
          {manifest.id} · {manifest.version} · {fileSize(size, i18n.language)} · {t('plugins.files', { count: files })}
        </p>
        <p className="mt-2 text-pretty break-words">{localized(manifest.description)}</p>
      </section>
      <PackageFacts
        manifest={manifest}
        permissions={permissions}
        contributions={contributions}
        signer={signer}
        expected={isUpdate ? (installed?.expected_signer ?? (differences.signer_changed ? null : signer)) : undefined}
        differences={differences}
      />
      <div className="mt-8 space-y-4 border-t pt-5">
        {isInstalled && <Alert variant="notice">{t('plugins.alreadyInstalled')}</Alert>}
        {isRepair && <Alert variant="notice">{t('plugins.repairs')}</Alert>}
        {isOlder && !isInstalled && (
          <>
            <Alert variant="notice">
              {t(differences.is_downgrade ? 'plugins.older' : 'plugins.sameVersion', {
                installed: differences.installed_version,
                version: manifest.version,
              })}
            </Alert>
            <LabelledCheckbox checked={replaces} onChange={setReplaces}>
              {t('plugins.replaceAnyway')}
            </LabelledCheckbox>
          </>
        )}
        {!isUpdate && (
          <FieldShell id={id} label={t('plugins.enableAtOnce')} help={t('plugins.enableAtOnceHelp')} inline>
            <Switch
              id={id}
              aria-describedby={`${id}-help`}
              checked={enables}
              onChange={(event) => setEnables(event.target.checked)}
            />
          </FieldShell>
        )}
        {failure !== null && (
          <PackageFailure failure={failure} title={t('plugins.notInstalled', { name: label })}>
            {isUpdate && t('plugins.staysAt', { version: differences.installed_version })}
          </PackageFailure>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button disabled={isBlocked} onClick={() => install(true)}>
            {t(needsConsent ? (isUpdate ? 'plugins.consentAndUpdate' : 'plugins.consentAndInstall') : 'plugins.update')}
          </Button>
          {needsConsent && !isRepair && (
            <Button variant="outline" disabled={isBlocked} onClick={() => install(false)}>
              {t(isUpdate ? 'plugins.letUpdateWait' : 'plugins.installDisabled')}
            </Button>
          )}
          <Button variant="ghost" disabled={isPending} onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <span role="status" className="text-sm text-muted-foreground">
            {isPending && t('plugins.installing')}
          </span>
        </div>
        <p className="text-sm text-pretty text-muted-foreground">
          {t(isUpdate ? 'plugins.updateHelp' : 'plugins.installHelp')}
        </p>
      </div>
    </div>
  );
}
