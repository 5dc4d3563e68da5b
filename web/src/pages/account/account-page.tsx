import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { AppearanceControls } from '../../components/appearance-controls.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Alert } from '../../components/ui/alert.tsx';
import { Button } from '../../components/ui/button.tsx';
import { accountQuery } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import { signOut } from '../../lib/sign-out.ts';
import { IdentitySection } from './identity-section.tsx';
import { PasswordForm } from './password-form.tsx';
import { RecoverySection } from './recovery-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionList } from './session-list.tsx';

/** The signed-in account: password, sessions, appearance. */
export function AccountPage() {
  const { t } = useTranslation();
  const account = useQuery(accountQuery);
  const info = useQuery({ queryKey: ['system', 'info'], queryFn: () => api.get('/api/v1/system/info') });
  return (
    <Page
      title={t('navigation.account')}
      {...(account.data && { introduction: t('profile.signedInAs', { user: account.data.user }) })}
      actions={
        <Button variant="outline" size="small" onClick={() => void signOut()}>
          <LogOut aria-hidden />
          {t('menu.signOut')}
        </Button>
      }
    >
      <Section title={t('profile.sessions')} text={t('profile.sessionsText')}>
        <SessionList />
      </Section>
      <Section title={t('profile.password')} text={t('profile.passwordText')}>
        <Loaded query={info} rows={3}>
          {({ allow_modify_login_info: mayChange }) =>
            mayChange ? (
              <Loaded query={account} rows={3}>
                {({ user, has_password }) =>
                  has_password ? (
                    <PasswordForm user={user} />
                  ) : (
                    <Alert variant="notice">{t('identity.noPassword')}</Alert>
                  )
                }
              </Loaded>
            ) : (
              <Alert variant="notice">{t('profile.passwordLocked')}</Alert>
            )
          }
        </Loaded>
      </Section>
      <Section title={t('secondFactor.sf')} text={t('secondFactor.sfText')}>
        <Loaded query={account} rows={1}>
          {({ user, has_password }) => <SecondFactorSection user={user} hasPassword={has_password} />}
        </Loaded>
      </Section>
      {account.data && <IdentitySection hasPassword={account.data.has_password} />}
      <Section title={t('recovery.key')} text={t('profile.recoveryText')}>
        <Loaded query={info} rows={1}>
          {({ allow_modify_login_info: mayChange }) => (
            <Loaded query={account} rows={1}>
              {({ user, has_password, recovery_key_created_at }) => (
                <RecoverySection
                  user={user}
                  createdAt={recovery_key_created_at}
                  mayCreate={mayChange && has_password}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      </Section>
      <Section title={t('profile.appearance')} text={t('profile.appearanceText')}>
        <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
          <AppearanceControls />
        </div>
      </Section>
    </Page>
  );
}
