import { useTranslation } from 'react-i18next';
import { CodeExample } from '../../components/code-example.tsx';
import { OnceSecret } from '../../components/once-secret.tsx';

const verification = `import { Webhook } from 'standardwebhooks';

// Throws if the signature is invalid. The body is the raw text.
const webhook = new Webhook(secret);
webhook.verify(body, request.headers);`;

/** The secret of a webhook, shown once, with an example for its verification. */
export function WebhookSecret({ secret }: { secret: string }) {
  const { t } = useTranslation();
  const copiedLabel = t('common.copied');
  return (
    <div className="space-y-5">
      <OnceSecret
        label={t('webhooks.secret')}
        secret={secret}
        copyLabel={t('webhooks.copySecret')}
        copiedLabel={copiedLabel}
      />
      <p className="text-sm text-pretty text-muted-foreground">{t('webhooks.verifyText')}</p>
      <CodeExample
        label={t('webhooks.verify')}
        code={verification}
        copyLabel={t('webhooks.copyVerify')}
        copiedLabel={copiedLabel}
      />
    </div>
  );
}
