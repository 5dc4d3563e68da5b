import { Ellipsis, type LucideIcon, Pencil, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { Button } from './button.tsx';

interface Action {
  label: string;
  icon: LucideIcon;
  destructive?: boolean;
  disabled?: boolean;
  onSelect: () => void;
}

interface ActionMenuProps {
  /** Name of the record, for screen readers. */
  subject: string;
  /** Offers to edit the record, as the first action. */
  onEdit?: () => void;
  actions?: readonly Action[];
  /** Offers to delete the record, as the last action. */
  onDelete?: () => void;
  /** A button with text, in the place of the one with dots. */
  trigger?: ReactNode;
}

/** Additional actions of a record, behind one button. */
export function ActionMenu({ subject, onEdit, actions = [], onDelete, trigger }: ActionMenuProps) {
  const { t } = useTranslation();
  const all: Action[] = [
    ...(onEdit ? [{ label: t('common.edit'), icon: Pencil, onSelect: onEdit }] : []),
    ...actions,
    ...(onDelete ? [{ label: t('common.delete'), icon: Trash2, destructive: true, onSelect: onDelete }] : []),
  ];
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        {trigger ?? (
          <Button variant="ghost" size="icon" aria-label={`${t('common.moreActions')}: ${subject}`}>
            <Ellipsis />
          </Button>
        )}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-40 min-w-44 motion-safe:animate-appear rounded-xl border bg-card p-1 text-foreground shadow-xl"
        >
          {all.map(({ label, icon: Icon, destructive, disabled, onSelect }) => (
            <DropdownMenu.Item
              key={label}
              disabled={disabled ?? false}
              onSelect={onSelect}
              className={classNames(
                'flex h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50 data-[highlighted]:bg-muted',
                destructive && 'text-destructive',
              )}
            >
              <Icon aria-hidden className="size-4 shrink-0" />
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
