import { useNavigate, useRouter } from '@tanstack/react-router';
import { Command } from 'cmdk';
import {
  BookText,
  FileText,
  History,
  Languages,
  List,
  LogOut,
  type LucideIcon,
  Plus,
  Search,
  SlidersHorizontal,
  SunMoon,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin, useMayOpen } from '../../lib/account.ts';
import { chooseLanguage, type Language, languages } from '../../lib/i18n.ts';
import { signOut } from '../../lib/sign-out.ts';
import { themes, useTheme } from '../../lib/theme.ts';
import { guidesIn } from '../guides/guide-list.ts';
import { navigation, navigationFor } from '../navigation.ts';
import { Button } from '../ui/button.tsx';
import { recentFinds } from './recent-finds.ts';
import { type Found, type RecordSearch, recordSearches } from './searches.ts';
import { best, rowsPerGroup, useFinds } from './use-finds.ts';

const items = navigation.flatMap((group) => group.items);
const iconOf = (page: string) => items.find(({ to }) => to === page)?.icon;
const newPages = [
  { to: '/bots/new', text: 'newBot', adminsOnly: true },
  { to: '/pipelines', text: 'newPipeline', adminsOnly: true },
  { to: '/knowledge/new', text: 'newBase', adminsOnly: false },
] as const;

interface Row {
  /** Unique in the palette. */
  id: string;
  name: string;
  hint?: string | undefined;
  icon: LucideIcon | undefined;
  onSelect: () => void;
}

interface RowGroup {
  key: string;
  heading: string;
  rows: Row[];
  /** Of its best row: groups with better matches come first. */
  rank: number;
}

/** Finds pages, records, settings, guides and actions, with the keyboard. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const act = (action: () => unknown) => () => {
    dialog.current?.close();
    action();
  };
  const { groups, failed, isSearching } = useGroups(text, act);
  const first = groups[0]?.rows[0]?.id ?? '';
  const [selected, setSelected] = useState('');
  // The best match is selected, also when it arrives late, until the user selects another row.
  const [isMoved, setMoved] = useState(false);
  const value = isMoved && groups.some(({ rows }) => rows.some(({ id }) => id === selected)) ? selected : first;
  // The native dialog traps the focus, closes on Escape and restores the focus.
  useEffect(() => {
    dialog.current?.showModal();
    // The dialog would focus the box around the field.
    field.current?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={t('palette.title')}
      onClose={onClose}
      closedby="any"
      className="mx-auto mt-[12dvh] w-[min(38rem,calc(100vw-2rem))] motion-safe:animate-appear overflow-hidden rounded-2xl border bg-card p-0 text-foreground shadow-xl backdrop:bg-black/40 max-sm:mt-4"
    >
      <Command
        label={t('palette.title')}
        loop
        vimBindings={false}
        shouldFilter={false}
        value={value}
        onValueChange={setSelected}
        onKeyDown={({ key }) => {
          if (['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key)) setMoved(true);
        }}
        onPointerMove={() => setMoved(true)}
      >
        <div className="flex items-center gap-3 border-b px-4">
          <Search aria-hidden className="size-4.5 shrink-0 text-muted-foreground" />
          <Command.Input
            ref={field}
            placeholder={t('palette.placeholder')}
            maxLength={200}
            value={text}
            onValueChange={(next) => {
              setText(next);
              setMoved(false);
            }}
            className="h-13 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted-foreground"
          />
        </div>
        <Command.List
          label={t('palette.title')}
          className="max-h-[min(26rem,60dvh)] overflow-y-auto overscroll-contain p-2"
        >
          {groups.map(({ key, heading, rows }) => (
            <Group key={key} heading={heading}>
              {rows.map((row) => (
                <Entry key={row.id} row={row} />
              ))}
            </Group>
          ))}
        </Command.List>
        <div role="status" className="text-sm text-muted-foreground empty:hidden">
          {groups.length === 0 && (
            <p className="px-5 pb-6 text-center">{t(isSearching ? 'palette.searching' : 'palette.empty')}</p>
          )}
        </div>
        {failed.length > 0 && (
          <div className="flex items-center gap-3 border-t px-4 py-2 text-sm">
            <p role="alert" className="min-w-0 flex-1">
              {t('palette.failed', { names: failed.map(({ heading }) => heading).join(', ') })}
            </p>
            <Button variant="outline" size="small" onClick={() => failed.map(({ retry }) => retry())}>
              {t('common.retry')}
            </Button>
          </div>
        )}
      </Command>
    </dialog>
  );
}

/** The groups for a search, those with the best matches first; without one, what was opened last, pages and actions. */
function useGroups(text: string, act: (action: () => unknown) => () => void) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const mayOpen = useMayOpen();
  const { found, settings, isSearching } = useFinds(text);
  const actions = useActions(act);
  const headings = useHeadings();
  const isEmpty = text.trim() === '';

  const open = ({ to, search }: Pick<Found, 'to' | 'search'>) => void navigate({ to, search: (search ?? {}) as never });
  const rowOf = (kind: string, page: string, icon: LucideIcon | undefined, find: Found): Row => ({
    id: `${kind} ${find.id}`,
    name: find.name,
    hint: find.hint,
    icon,
    onSelect: act(() => {
      recentFinds.add({ ...find, page });
      open(find);
    }),
  });
  const matching = (rows: readonly Row[]) =>
    best(
      rows.map((row) => ({ ...row, to: '', hint: '' })),
      text,
      false,
    );
  const staticGroup = (key: string, heading: string, rows: readonly Row[]): RowGroup => {
    const matches = isEmpty ? rows.map((row) => ({ ...row, rank: 0 })) : matching(rows);
    return { key, heading, rows: matches, rank: matches[0]?.rank ?? 0 };
  };

  const pages: Row[] = navigationFor(mayOpen)
    .flatMap((group) => group.items)
    .map(({ to, text: name, icon }) => ({
      id: `page ${to}`,
      name: t(`navigation.${name}`),
      icon,
      onSelect: act(() => navigate({ to })),
    }));
  const guides = guidesIn(i18n.language).map(
    ({ name, title, address }): Found => ({ id: name, name: title, to: address }),
  );
  const records = found.map(({ kind, found: matches, total }): RowGroup => {
    const { page, all }: RecordSearch = recordSearches[kind];
    const icon = kind === 'document' ? FileText : iconOf(page);
    const rows = matches.map((find) => rowOf(kind, page, icon, find));
    const isMore = all !== undefined && total > matches.length && matches.length > 0;
    const list: Row = {
      id: `${kind} all`,
      name: t('palette.all', { name: headings[kind] }),
      icon: List,
      onSelect: act(() => all && open(all(text.trim()))),
    };
    return { key: kind, heading: headings[kind], rows: isMore ? [...rows, list] : rows, rank: matches[0]?.rank ?? 0 };
  });
  const foundGuides = isEmpty ? [] : best(guides, text, false).slice(0, rowsPerGroup);
  const recent = isEmpty ? recentFinds.read().filter(({ page }) => mayOpen(page)) : [];
  const groups: RowGroup[] = [
    {
      key: 'recent',
      heading: t('palette.recent'),
      rows: recent.map((find) => rowOf('recent', find.page, History, find)),
      rank: 0,
    },
    staticGroup('pages', t('palette.pages'), pages),
    ...records,
    {
      key: 'settings',
      heading: t('palette.settings'),
      rows: settings.map((find) =>
        rowOf('setting', find.to.startsWith('/system') ? '/system' : '/pipelines', SlidersHorizontal, find),
      ),
      rank: settings[0]?.rank ?? 0,
    },
    {
      key: 'guides',
      heading: t('palette.guides'),
      rows: foundGuides.map((find) => rowOf('guide', '/', BookText, find)),
      rank: foundGuides[0]?.rank ?? 0,
    },
    staticGroup('actions', t('palette.actions'), actions),
  ];
  return {
    // The sort is stable: groups that match as well keep their order.
    groups: groups.filter(({ rows }) => rows.length > 0).sort((one, other) => one.rank - other.rank),
    failed: isEmpty
      ? []
      : found.filter(({ state }) => state === 'failed').map(({ kind, retry }) => ({ heading: headings[kind], retry })),
    isSearching,
  };
}

function useActions(act: (action: () => unknown) => () => void): Row[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const pages = Object.keys(useRouter().routesByPath);
  const isAdmin = useIsAdmin();
  const [theme, setTheme] = useTheme();
  return [
    ...newPages
      .filter(({ to, adminsOnly }) => pages.includes(to) && (isAdmin || !adminsOnly))
      .map(({ to, text }) => ({
        id: `new ${to}`,
        name: t(`palette.${text}`),
        icon: Plus,
        // The types of the router take one address at a time.
        onSelect: act(() => navigate({ to: to as string })),
      })),
    ...themes
      .filter((one) => one !== theme)
      .map((one) => ({
        id: `theme ${one}`,
        name: t('palette.theme', { name: t(`menu.${one}`) }),
        icon: SunMoon,
        onSelect: act(() => setTheme(one)),
      })),
    ...(Object.keys(languages) as Language[])
      .filter((one) => one !== i18n.language)
      .map((one) => ({
        id: `language ${one}`,
        name: t('palette.language', { name: languages[one] }),
        icon: Languages,
        onSelect: act(() => chooseLanguage(one)),
      })),
    { id: 'sign-out', name: t('menu.signOut'), icon: LogOut, onSelect: act(signOut) },
  ];
}

function useHeadings(): Record<keyof typeof recordSearches, string> {
  const { t } = useTranslation();
  return {
    bot: t('navigation.bots'),
    pipeline: t('navigation.pipelines'),
    'knowledge-base': t('navigation.knowledge'),
    document: t('palette.documents'),
    provider: t('palette.providers'),
    'language-model': t('palette.languageModels'),
    'embedding-model': t('palette.embeddingModels'),
    'rerank-model': t('palette.rerankModels'),
    'mcp-server': t('palette.servers'),
    'api-key': t('navigation.apiKeys'),
    webhook: t('navigation.webhooks'),
    'alert-rule': t('palette.alertRules'),
    'alert-target': t('palette.alertTargets'),
    account: t('navigation.accounts'),
    message: t('navigation.messages'),
  };
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted-foreground"
    >
      {children}
    </Command.Group>
  );
}

function Entry({ row: { id, name, hint, icon: Icon = Search, onSelect } }: { row: Row }) {
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-3 py-1.5 text-sm data-[selected=true]:bg-muted"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <span className="min-w-0 truncate">{name}</span>
      {hint !== undefined && hint !== '' && (
        <span className="ml-auto max-w-1/2 shrink-0 truncate pl-3 text-xs text-muted-foreground">{hint}</span>
      )}
    </Command.Item>
  );
}
