import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin } from '../../lib/account.ts';
import { localized } from '../../lib/i18n.ts';
import type { ListedPlugin } from './plugin-queries.ts';
import { PluginRow } from './plugin-row.tsx';
import { useDraggedRow } from './use-dragged-row.ts';
import { usePluginOrder } from './use-plugin-order.ts';

/** Plugins in their order, which admins change by dragging, with keys or from a menu. */
export function PluginList({ plugins }: { plugins: readonly ListedPlugin[] }) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const [announced, setAnnounced] = useState('');
  const { order, place, store } = usePluginOrder(plugins.map(({ id }) => id));
  const rows = order.flatMap((id) => plugins.find((plugin) => plugin.id === id) ?? []);

  const announce = (id: string, next: readonly string[]) => {
    const plugin = plugins.find((one) => one.id === id);
    if (plugin === undefined) return;
    const words = { name: localized(plugin.label), position: next.indexOf(id) + 1, count: next.length };
    setAnnounced(t('plugins.moved', words));
  };
  const move = (id: string, to: number) => {
    if (to < 0 || to >= order.length) return;
    const next = place(id, to);
    store(next);
    announce(id, next);
  };
  const drag = useDraggedRow({
    place,
    dropped: (id, next) => {
      store(next);
      announce(id, next);
    },
  });

  return (
    <>
      <p id="plugin-order" className="mb-3 text-sm text-pretty text-muted-foreground">
        {t('plugins.orderText')} {isAdmin && rows.length > 1 && t('plugins.orderHelp')}
      </p>
      <ol ref={drag.list} aria-label={t('plugins.title')} className="divide-y rounded-2xl border bg-card">
        {rows.map((plugin, index) => (
          <PluginRow
            key={plugin.id}
            plugin={plugin}
            position={index + 1}
            count={rows.length}
            isDragged={drag.dragged === plugin.id}
            onMove={(to) => move(plugin.id, to)}
            onGrab={(event) => drag.grab(plugin.id, event)}
          />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {announced}
      </p>
    </>
  );
}
