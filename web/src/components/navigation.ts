import {
  BellRing,
  Blocks,
  BookOpen,
  Bot,
  BrainCircuit,
  CircleUser,
  FileCode,
  KeyRound,
  LayoutDashboard,
  LibraryBig,
  type LucideIcon,
  MessageCircle,
  MessagesSquare,
  ScrollText,
  ServerCog,
  Users,
  Webhook,
  Workflow,
  Wrench,
} from 'lucide-react';
import type { english } from '../locales/en/index.ts';

type Text = keyof typeof english.navigation;

interface NavigationItem {
  to: string;
  text: Text;
  icon: LucideIcon;
}

/** Pages in the menu and the command palette, in order. */
export const navigation: readonly { text: Text; items: readonly NavigationItem[] }[] = [
  {
    text: 'overview',
    items: [
      { to: '/', text: 'dashboard', icon: LayoutDashboard },
      { to: '/messages', text: 'messages', icon: MessagesSquare },
      { to: '/chat', text: 'chat', icon: MessageCircle },
    ],
  },
  {
    text: 'build',
    items: [
      { to: '/bots', text: 'bots', icon: Bot },
      { to: '/pipelines', text: 'pipelines', icon: Workflow },
      { to: '/knowledge', text: 'knowledge', icon: BookOpen },
      { to: '/models', text: 'models', icon: BrainCircuit },
      { to: '/tools', text: 'tools', icon: Wrench },
      { to: '/plugins', text: 'plugins', icon: Blocks },
    ],
  },
  {
    text: 'connect',
    items: [
      { to: '/api-keys', text: 'apiKeys', icon: KeyRound },
      { to: '/webhooks', text: 'webhooks', icon: Webhook },
    ],
  },
  {
    text: 'operate',
    items: [
      { to: '/alerts', text: 'alerts', icon: BellRing },
      { to: '/audit', text: 'audit', icon: ScrollText },
      { to: '/accounts', text: 'accounts', icon: Users },
      { to: '/account', text: 'account', icon: CircleUser },
      { to: '/system', text: 'system', icon: ServerCog },
      { to: '/api-reference', text: 'reference', icon: FileCode },
      { to: '/guides', text: 'guides', icon: LibraryBig },
    ],
  },
];

/** The groups of the menu with the allowed pages, without empty groups. */
export function navigationFor(mayOpen: (path: string) => boolean) {
  const groups = navigation.map((group) => ({ ...group, items: group.items.filter(({ to }) => mayOpen(to)) }));
  return groups.filter(({ items }) => items.length > 0);
}
