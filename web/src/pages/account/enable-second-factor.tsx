import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/copy-button.tsx';
import { FailureAlert } from '../../components/failure/failure-alert.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { api } from '../../lib/api.ts';
import { CodeField } from './code-field.tsx';
import { formFields } from './new-password.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

interface EnableSecondFactorProps {
  user: string;
  hasPassword: boolean;
  onClose: () => void;
}

/** Adds an authenticator app: password, QR code and a first code, then the recovery codes, once. */
export function EnableSecondFactor({ user, hasPassword, onClose }: EnableSecondFactorProps) {
  const { t } = useTranslation();
  const propose = useMutation({
    mutationFn: (password: string) =>
      api.post('/api/v1/user/second-factor', { body: password === '' ? {} : { password } }),
  });
  const enable = useMutation({
    mutationFn: (code: string) => api.post('/api/v1/user/second-factor/enable', { body: { code } }),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { password = '', code = '' } = formFields(event.currentTarget);
    if (propose.isPending || enable.isPending) return;
    if (propose.isSuccess) enable.mutate(code);
    else propose.mutate(password);
  };
  const failure = propose.error ?? enable.error;

  if (enable.isSuccess) {
    return (
      <Dialog key="codes" title={t('secondFactor.saveTitle')} width="wide">
        <RecoveryCodes user={user} codes={enable.data.recovery_codes} onSaved={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={t('secondFactor.sf')} width="wide" onClose={onClose}>
      <form className="mt-2 space-y-4" onSubmit={submit}>
        {failure !== null && <FailureAlert error={failure} />}
        {propose.isSuccess ? (
          <>
            <p className="text-pretty text-muted-foreground">{t('secondFactor.scan')}</p>
            <QrCode text={propose.data.uri} label={t('secondFactor.scanLabel')} />
            <div className="flex flex-wrap items-center gap-x-3 text-sm">
              <span className="text-muted-foreground">{t('secondFactor.manual')}</span>
              <code data-secret="" className="font-mono break-all select-all">
                {propose.data.secret}
              </code>
              <CopyButton
                text={() => propose.data.secret}
                label={t('secondFactor.copyKey')}
                copiedLabel={t('secondFactor.copiedKey')}
                iconOnly
              />
            </div>
            <CodeField appOnly />
          </>
        ) : (
          <>
            <p className="text-pretty text-muted-foreground">
              {t(hasPassword ? 'secondFactor.passwordFirst' : 'secondFactor.sfText')}
            </p>
            {hasPassword && (
              <PasswordField
                label={t('account.password')}
                name="password"
                autoComplete="current-password"
                required
                autoFocus
              />
            )}
          </>
        )}
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" disabled={propose.isPending || enable.isPending}>
            {t(propose.isSuccess ? 'secondFactor.turnOn' : 'secondFactor.next')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
