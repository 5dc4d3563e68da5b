import { type LucideIcon, MessageCircle } from 'lucide-react';
import type { english } from '../../locales/en/index.ts';

type Text = keyof typeof english.navigation;

interface NavigationItem {
  to: string;
  text: Text;
  icon: LucideIcon;
}

/** What the menu and the command palette offer, in their order. Plugins have their place after the tools. */
export const navigation: readonly { text: Text; items: readonly NavigationItem[] }[] = [
  {
    text: 'overview',
    items: [{ to: '/chat', text: 'chat', icon: MessageCircle }],
  },
];
