import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { exactTime } from '../../lib/number-text.ts';
import { NewRecoveryKey } from './new-recovery-key.tsx';

interface RecoverySectionProps {
  user: string;
  /** When the key was created; null if that is not known. */
  createdAt: string | null;
  /** Whether a new key can be created: that takes a password, which the operator lets users change. */
  mayCreate: boolean;
}

/** The recovery key of the account: a new one, or its use. */
export function RecoverySection({ user, createdAt, mayCreate }: RecoverySectionProps) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p className="mb-3 text-sm">
        {createdAt === null
          ? t('recovery.noDate')
          : t('recovery.createdAt', { date: exactTime(createdAt, i18n.language) })}
      </p>
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
