import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../../components/ui/action-menu.tsx';
import { useIsAdmin } from '../../lib/account.ts';
import { classNames } from '../../lib/class-names.ts';
import { localized } from '../../lib/i18n.ts';
import { contributionsText } from './contribution-words.ts';
import { PluginFigures } from './plugin-figures.tsx';
import { PluginIcon } from './plugin-icon.tsx';
import { type ListedPlugin, pathOf } from './plugin-queries.ts';
import { PluginState } from './plugin-state.tsx';
import { PluginSwitch } from './plugin-switch.tsx';

interface PluginRowProps {
  plugin: ListedPlugin;
  /** From 1. */
  position: number;
  count: number;
  isDragged: boolean;
  /** @param to index */
  onMove: (to: number) => void;
  onGrab: (event: PointerEvent) => void;
}

/** One plugin in the list: what it is, its state and figures. */
export function PluginRow({ plugin, position, count, isDragged, onMove, onGrab }: PluginRowProps) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const { id, state, enabled, version, process, clash, update_version } = plugin;
  const label = localized(plugin.label);
  const index = position - 1;
  return (
    <li
      className={classNames(
        'flex items-start gap-3 px-3 py-3.5 first:rounded-t-2xl last:rounded-b-2xl sm:px-4',
        isDragged && 'bg-bubble',
      )}
    >
      {isAdmin && count > 1 && (
        <Handle label={label} position={position} count={count} onMove={onMove} onGrab={onGrab} />
      )}
      <PluginIcon id={id} version={version} className="max-sm:hidden" />
      <div className="min-w-0 flex-1 gap-x-6 gap-y-3 lg:flex lg:items-start">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <Link
              to="/plugins/$author/$name"
              params={pathOf(id).path}
              className="rounded font-medium break-words underline-offset-4 hover:underline"
            >
              {label}
            </Link>
            <PluginState state={state} process={process} hasUpdate={update_version !== null} />
          </div>
          <p className="mt-0.5 text-sm break-words text-muted-foreground">
            {id} · {version} · {contributionsText(plugin.contributions, t)}
          </p>
          {clash !== null && <p className="mt-1 text-sm text-pretty text-destructive">{t('plugins.clashShort')}</p>}
        </div>
        {process !== null && (
          <PluginFigures
            process={process}
            shown={['memory', 'calls', 'p95', 'failures']}
            className="max-lg:mt-2.5 lg:w-72 lg:justify-between"
          />
        )}
      </div>
      {isAdmin && (
        <div className="flex shrink-0 items-center gap-1 max-sm:flex-col-reverse">
          <PluginSwitch id={id} label={label} state={state} enabled={enabled} />
          {count > 1 && (
            <ActionMenu
              subject={label}
              actions={[
                {
                  label: t('plugins.moveUp'),
                  icon: ArrowUp,
                  disabled: index === 0,
                  onSelect: () => onMove(index - 1),
                },
                {
                  label: t('plugins.moveDown'),
                  icon: ArrowDown,
                  disabled: position === count,
                  onSelect: () => onMove(index + 1),
                },
              ]}
            />
          )}
        </div>
      )}
    </li>
  );
}

interface HandleProps extends Pick<PluginRowProps, 'position' | 'count' | 'onMove' | 'onGrab'> {
  label: string;
}

/** Moves a plugin, with the pointer or with arrow keys. */
function Handle({ label, position, count, onMove, onGrab }: HandleProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  const wasMoved = useRef(false);
  const index = position - 1;
  const targets: Record<string, number> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 };
  const press = (event: KeyboardEvent) => {
    const to = targets[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    wasMoved.current = true;
    onMove(to);
  };
  // A row that moves in the document loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of its place
  useLayoutEffect(() => {
    if (wasMoved.current) button.current?.focus();
    wasMoved.current = false;
  }, [position]);
  return (
    <button
      ref={button}
      type="button"
      aria-label={t('plugins.handle', { name: label, position, count })}
      aria-describedby="plugin-order"
      onKeyDown={press}
      onPointerDown={onGrab}
      className="-my-0.5 flex size-9 shrink-0 cursor-grab touch-none items-center justify-center rounded-lg text-muted-foreground hover:bg-muted hover:text-foreground active:cursor-grabbing"
    >
      <GripVertical aria-hidden className="size-5" />
    </button>
  );
}
