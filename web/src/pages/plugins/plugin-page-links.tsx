import { Link } from '@tanstack/react-router';
import { AppWindow } from 'lucide-react';
import { buttonVariants } from '../../components/ui/button.tsx';
import { localized } from '../../lib/i18n.ts';

interface PluginPageLinksProps {
  /** `author/name` of the plugin. */
  id: string;
  pages: readonly { name: string; label: Parameters<typeof localized>[0] }[];
}

/** Links to the pages of a plugin; nothing when it has none. */
export function PluginPageLinks({ id, pages }: PluginPageLinksProps) {
  const [author = '', name = ''] = id.split('/');
  if (pages.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2">
      {pages.map(({ name: page, label }) => (
        <li key={page}>
          <Link
            to="/plugins/$author/$name/pages/$page"
            params={{ author, name, page }}
            className={buttonVariants({ variant: 'outline', size: 'small' })}
          >
            <AppWindow aria-hidden />
            {localized(label)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
