import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Languages, LogOut, type LucideIcon, Plus, Search, SunMoon } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin, useMayOpen } from '../../lib/account.ts';
import { chooseLanguage, type Language, languages } from '../../lib/i18n.ts';
import { recordAddress } from '../../lib/record-address.ts';
import { signOut } from '../../lib/sign-out.ts';
import { themes, useTheme } from '../../lib/theme.ts';
import { navigation, navigationFor } from '../navigation.ts';
import { findableRecords, type RecordKind, recordKinds } from './findable-records.ts';

const items = navigation.flatMap((group) => group.items);
const icons = Object.fromEntries(items.map(({ text, icon }) => [text, icon]));
/** Pages of records, by kind. */
const pathOf = (page: string) => items.find(({ text }) => text === page)?.to ?? '';
const newPages = [
  { to: '/bots/new', text: 'newBot', adminsOnly: true },
  { to: '/pipelines', text: 'newPipeline', adminsOnly: true },
  { to: '/knowledge/new', text: 'newBase', adminsOnly: false },
] as const;

/** Finds pages, records and actions by name, with the keyboard. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const router = useRouter();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [theme, setTheme] = useTheme();
  const isAdmin = useIsAdmin();
  const mayOpen = useMayOpen();
  const kinds = recordKinds.filter(({ page }) => mayOpen(pathOf(page)));
  const records = useQuery({
    queryKey: ['records', isAdmin],
    queryFn: () => findableRecords(kinds.map(({ kind }) => kind)),
    staleTime: 0,
  });
  const pages = Object.keys(router.routesByPath);
  // The native dialog traps the focus, closes on Escape and restores the focus.
  useEffect(() => {
    dialog.current?.showModal();
    // The dialog would focus the box around the field.
    field.current?.focus();
  }, []);
  const act = (action: () => unknown) => () => {
    dialog.current?.close();
    action();
  };
  const headings: Record<RecordKind, string> = {
    bot: t('navigation.bots'),
    pipeline: t('navigation.pipelines'),
    'knowledge-base': t('navigation.knowledge'),
    provider: t('palette.providers'),
    'language-model': t('navigation.models'),
    'mcp-server': t('palette.servers'),
    'api-key': t('navigation.apiKeys'),
  };

  return (
    <dialog
      ref={dialog}
      aria-label={t('palette.title')}
      onClose={onClose}
      closedby="any"
      className="mx-auto mt-[12dvh] w-[min(38rem,calc(100vw-2rem))] motion-safe:animate-appear overflow-hidden rounded-2xl border bg-card p-0 text-foreground shadow-xl backdrop:bg-black/40"
    >
      <Command label={t('palette.title')} loop vimBindings={false}>
        <div className="flex items-center gap-3 border-b px-4">
          <Search aria-hidden className="size-4.5 shrink-0 text-muted-foreground" />
          <Command.Input
            ref={field}
            placeholder={t('palette.placeholder')}
            className="h-13 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted-foreground"
          />
        </div>
        <Command.List
          label={t('palette.title')}
          className="max-h-[min(26rem,60dvh)] overflow-y-auto overscroll-contain p-2"
        >
          <Command.Empty className="px-3 py-8 text-center text-sm text-muted-foreground">
            {t('palette.empty')}
          </Command.Empty>
          <Group heading={t('palette.pages')}>
            {navigationFor(mayOpen)
              .flatMap((group) => group.items)
              .map(({ to, text, icon }) => (
                <Entry
                  key={to}
                  id={to}
                  name={t(`navigation.${text}`)}
                  icon={icon}
                  onSelect={act(() => navigate({ to }))}
                />
              ))}
          </Group>
          {kinds.map(({ kind, page }) => {
            const found = (records.data ?? []).flatMap((record) => {
              const address = record.kind === kind ? recordAddress(kind, record.id, pages) : null;
              return address === null ? [] : [{ ...record, address }];
            });
            if (found.length === 0) return null;
            return (
              <Group key={kind} heading={headings[kind]}>
                {found.map(({ id, name, address: { to, search } }) => (
                  <Entry
                    key={id}
                    id={`${kind} ${id}`}
                    name={name}
                    icon={icons[page]}
                    onSelect={act(() => navigate({ to, search: search as never }))}
                  />
                ))}
              </Group>
            );
          })}
          <Group heading={t('palette.actions')}>
            {newPages
              .filter(({ to, adminsOnly }) => pages.includes(to) && (isAdmin || !adminsOnly))
              .map(({ to, text }) => (
                <Entry
                  key={to}
                  id={to}
                  name={t(`palette.${text}`)}
                  icon={Plus}
                  // The types of the router take one address at a time.
                  onSelect={act(() => navigate({ to: to as string }))}
                />
              ))}
            {themes
              .filter((one) => one !== theme)
              .map((one) => (
                <Entry
                  key={one}
                  id={`theme ${one}`}
                  name={t('palette.theme', { name: t(`menu.${one}`) })}
                  icon={SunMoon}
                  onSelect={act(() => setTheme(one))}
                />
              ))}
            {(Object.keys(languages) as Language[])
              .filter((one) => one !== i18n.language)
              .map((one) => (
                <Entry
                  key={one}
                  id={`language ${one}`}
                  name={t('palette.language', { name: languages[one] })}
                  icon={Languages}
                  onSelect={act(() => chooseLanguage(one))}
                />
              ))}
            <Entry id="sign-out" name={t('menu.signOut')} icon={LogOut} onSelect={act(signOut)} />
          </Group>
        </Command.List>
      </Command>
    </dialog>
  );
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

interface EntryProps {
  /** Two records may have the same name. */
  id: string;
  name: string;
  icon: LucideIcon | undefined;
  onSelect: () => void;
}

function Entry({ id, name, icon: Icon = Search, onSelect }: EntryProps) {
  return (
    <Command.Item
      value={`${name} ${id}`}
      keywords={[name]}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-3 py-1.5 text-sm data-[selected=true]:bg-muted"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <span className="truncate">{name}</span>
    </Command.Item>
  );
}
