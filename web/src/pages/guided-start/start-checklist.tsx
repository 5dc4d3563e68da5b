import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Circle, CircleCheck, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/ui/button.tsx';
import { ButtonLink } from '../../components/ui/button-link.tsx';
import { accountQuery } from '../../lib/account.ts';
import { systemInfoQuery } from '../../lib/system-info.ts';
import { dismissedTasks, type StartTask, startTasks, startTasksQuery } from './start-tasks.ts';

const links: Record<StartTask, LinkProps> = {
  message: { to: '/chat' },
  model: { to: '/models/providers/new' },
  platform: { to: '/bots/new' },
  knowledge: { to: '/knowledge' },
  colleague: { to: '/accounts' },
  prices: { to: '/models', search: { tab: 'prices' } },
};

/** What is left until the installation is of use. Gone when all is done, or when the account dismisses it. */
export default function StartChecklist() {
  const { t } = useTranslation();
  const user = useQuery(accountQuery).data?.user ?? '';
  const info = useQuery(systemInfoQuery);
  const [isDismissed, setDismissed] = useState(() => dismissedTasks.has(user));
  const tasks = useQuery({ ...startTasksQuery, enabled: !isDismissed });
  if (isDismissed || tasks.data === undefined) return null;
  const isDone = tasks.data;
  const done = startTasks.filter((task) => isDone[task]).length;
  if (done === startTasks.length) return null;
  return (
    <section aria-labelledby="start-checklist" className="mb-6 rounded-2xl border bg-card p-4 sm:p-5">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 id="start-checklist" className="font-medium">
            {t('startCard.title')}
          </h2>
          <p role="status" className="text-sm text-muted-foreground">
            {t('startCard.progress', { done, count: startTasks.length })}
          </p>
        </div>
        {info.data?.wizard_status === 'none' && (
          <ButtonLink to="/start" variant="outline" size="small">
            {t('startCard.label')}
          </ButtonLink>
        )}
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('startCard.dismiss')}
          title={t('startCard.dismiss')}
          onClick={() => {
            dismissedTasks.add(user);
            setDismissed(true);
          }}
        >
          <X aria-hidden />
        </Button>
      </div>
      <ul className="mt-2 grid gap-x-4 sm:grid-cols-2 lg:grid-cols-3">
        {startTasks.map((task) => (
          <li key={task} className="flex min-h-10 items-center gap-2.5 text-sm" data-done={isDone[task]}>
            {isDone[task] ? (
              <>
                <CircleCheck aria-hidden className="size-5 shrink-0 text-good" />
                <span className="text-muted-foreground">
                  {t(`startCard.steps.${task}`)}
                  <span className="sr-only">, {t('startCard.done')}</span>
                </span>
              </>
            ) : (
              <>
                <Circle aria-hidden className="size-5 shrink-0 text-muted-foreground" />
                <Link {...links[task]} className="rounded py-1 font-medium underline-offset-4 hover:underline">
                  {t(`startCard.steps.${task}`)}
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
