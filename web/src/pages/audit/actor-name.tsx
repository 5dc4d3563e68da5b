import type { components } from '@parley/client';
import { KeyRound, Terminal, User, UserX } from 'lucide-react';
import { useTranslation } from 'react-i18next';

const icons = { user: User, 'api-key': KeyRound, anonymous: UserX, 'command-line': Terminal };

/** The author of a change, with the kind of credential. */
export function ActorName({ entry }: { entry: components['schemas']['AuditEntry'] }) {
  const { t } = useTranslation();
  const Icon = icons[entry.actor_kind];
  return (
    <span className="inline-flex max-w-full items-center gap-1.5" title={t(`audit.actors.${entry.actor_kind}`)}>
      <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <span className="truncate">{entry.actor_name || t(`audit.actors.${entry.actor_kind}`)}</span>
    </span>
  );
}
