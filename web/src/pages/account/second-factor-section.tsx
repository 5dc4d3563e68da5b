import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../components/states/loaded.tsx';
import { Button } from '../../components/ui/button.tsx';
import { api } from '../../lib/api.ts';
import { exactTime } from '../../lib/number-text.ts';
import { DisableSecondFactor } from './disable-second-factor.tsx';
import { EnableSecondFactor } from './enable-second-factor.tsx';

interface SecondFactorSectionProps {
  user: string;
  /** Whether the account has a password; it is required for changes. */
  hasPassword: boolean;
}

/** The second factor of the account, with its switch. */
export function SecondFactorSection({ user, hasPassword }: SecondFactorSectionProps) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const status = useQuery({ queryKey: ['second-factor'], queryFn: () => api.get('/api/v1/user/second-factor') });
  const close = () => {
    setOpen(false);
    void status.refetch();
  };
  return (
    <Loaded query={status} rows={1}>
      {({ enabled, enabled_at, recovery_codes_left: left }) => (
        <>
          <p>
            {enabled && enabled_at !== null
              ? `${t('secondFactor.on', { date: exactTime(enabled_at, i18n.language) })} ${t('secondFactor.left', { count: left })}`
              : t('secondFactor.off')}
          </p>
          <Button variant="outline" size="small" className="mt-3" onClick={() => setOpen(true)}>
            {t(enabled ? 'secondFactor.turnOff' : 'secondFactor.setUp')}
          </Button>
          {isOpen && enabled && <DisableSecondFactor hasPassword={hasPassword} onClose={close} />}
          {isOpen && !enabled && <EnableSecondFactor user={user} hasPassword={hasPassword} onClose={close} />}
        </>
      )}
    </Loaded>
  );
}
