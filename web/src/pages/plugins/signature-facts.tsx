import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/copy-button.tsx';
import { Alert } from '../../components/ui/alert.tsx';

interface SignatureFactsProps {
  /** Fingerprint of the key that signed the package; null for an unsigned one. */
  signer: string | null;
  /** Fingerprint of the key that is pinned, null for none; undefined while the plugin is not installed. */
  expected?: string | null | undefined;
}

/** Who signed a package, and whether that is who signed the version before. */
export function SignatureFacts({ signer, expected }: SignatureFactsProps) {
  const { t } = useTranslation();
  const isChanged = expected !== undefined && expected !== signer;
  return (
    <div className="space-y-2 rounded-2xl border bg-card px-4 py-3.5 text-sm">
      <p className="text-pretty">
        {signer === null ? t('plugins.signature.none') : t('plugins.signature.signed')}
        {!isChanged && signer !== null && expected !== undefined && ` ${t('plugins.signature.same')}`}
        {signer !== null && expected === undefined && ` ${t('plugins.signature.pinned')}`}
      </p>
      {signer !== null && <Fingerprint label={t('plugins.signature.fingerprint')} value={signer} />}
      {isChanged && (
        <Alert>
          <p className="font-medium">
            {signer === null ? t('plugins.signature.removed') : t('plugins.signature.changed')}
          </p>
          <p>{t('plugins.signature.changedText')}</p>
        </Alert>
      )}
      {isChanged && expected !== null && <Fingerprint label={t('plugins.signature.expected')} value={expected} />}
    </div>
  );
}

function Fingerprint({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <p className="text-xs text-muted-foreground">{label}</p>
      <p className="flex items-start gap-1">
        <code className="min-w-0 font-mono text-xs leading-6 break-all">{value}</code>
        <CopyButton
          iconOnly
          className="-my-1"
          text={() => value}
          label={t('plugins.signature.copy')}
          copiedLabel={t('common.copied')}
        />
      </p>
    </div>
  );
}
