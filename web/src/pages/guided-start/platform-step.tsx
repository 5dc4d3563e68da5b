import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AdapterChooser } from '../../components/bots/adapter-chooser.tsx';
import { adaptersQuery } from '../../components/bots/bot-queries.ts';
import { Loaded } from '../../components/states/loaded.tsx';
import { Button } from '../../components/ui/button.tsx';
import type { StartProgress } from './start-progress.ts';
import { StepHeading } from './step-heading.tsx';

/** Selects a platform, or none yet. */
export function PlatformStep({ keep }: { keep: (part: Partial<StartProgress>) => void }) {
  const { t } = useTranslation();
  const adapters = useQuery(adaptersQuery);
  return (
    <>
      <StepHeading title={t('guidedStart.messengerTitle')}>{t('guidedStart.messengerText')}</StepHeading>
      <Loaded query={adapters} rows={2}>
        {({ adapters: all }) => (
          <AdapterChooser adapters={all} onChoose={(adapter) => keep({ step: 'connect', adapter })} />
        )}
      </Loaded>
      <div className="mt-7 flex flex-wrap items-center gap-x-4 gap-y-2 border-t pt-5">
        <Button variant="outline" onClick={() => keep({ step: 'model' })}>
          {t('guidedStart.skipMessenger')}
        </Button>
        <p className="min-w-0 flex-1 basis-64 text-sm text-pretty text-muted-foreground">
          {t('guidedStart.skipMessengerText')}
        </p>
      </div>
    </>
  );
}
