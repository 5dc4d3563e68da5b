import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { NewRecoveryKey } from './new-recovery-key.tsx';

interface RecoverySectionProps {
  user: string;
  /** Whether a new key can be created: that takes a password, which the operator lets users change. */
  mayCreate: boolean;
}

/** The recovery key of the account: a new one, or its use. */
export function RecoverySection({ user, mayCreate }: RecoverySectionProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {mayCreate && (
          <Button variant="outline" size="small" onClick={() => setOpen(true)}>
            {t('recovery.create')}
          </Button>
        )}
        <Link to="/reset-password" className="text-sm font-medium text-primary underline underline-offset-4">
          {t('profile.recoveryLink')}
        </Link>
      </div>
      {isOpen && <NewRecoveryKey user={user} onClose={() => setOpen(false)} />}
    </>
  );
}
