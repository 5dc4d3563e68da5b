import { Trash2 } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../lib/account.ts';
import { Page } from './page.tsx';
import { Button } from './ui/button.tsx';
import { Label } from './ui/label.tsx';
import { Tabs, type TabsProps } from './ui/tabs.tsx';

interface RecordPageProps<Tab extends string> {
  title: string;
  back: ReactNode;
  /** The switch that enables the record, and its label. */
  onOff: { label: string; control: (id: string) => ReactNode };
  /** A description below its name. */
  facts: ReactNode;
  /** Its state; changes are announced to screen readers. */
  state: ReactNode;
  /** Beside its state: what happened last. Changes are not announced. */
  activity?: ReactNode;
  tabs: TabsProps<Tab>;
  onDelete: () => void;
  /** Above the tabs: errors and possible actions. */
  children?: ReactNode;
}

/** A record that admins can enable and delete: its state, and tabs. */
export function RecordPage<Tab extends string>(properties: RecordPageProps<Tab>) {
  const { title, back, onOff, facts, state, activity, tabs, onDelete, children } = properties;
  const { t } = useTranslation();
  const id = useId();
  const isAdmin = useIsAdmin();
  return (
    <Page
      title={title}
      back={back}
      actions={
        isAdmin && (
          <>
            {onOff.control(id)}
            <Label htmlFor={id}>{onOff.label}</Label>
            <Button variant="outline" size="small" className="ml-2" onClick={onDelete}>
              <Trash2 aria-hidden />
              {t('common.delete')}
            </Button>
          </>
        )
      }
    >
      <div className="-mt-4 mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
        {facts}
        <span role="status">{state}</span>
        {activity}
      </div>
      {children}
      <Tabs {...tabs} />
    </Page>
  );
}
