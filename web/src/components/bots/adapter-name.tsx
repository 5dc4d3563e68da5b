import { useQuery } from '@tanstack/react-query';
import { classNames } from '../../lib/class-names.ts';
import { localized } from '../../lib/i18n.ts';
import { serverAddress } from '../../lib/server-address.ts';
import { adapterQuery } from './bot-queries.ts';

/** The icon of a platform. */
export function AdapterIcon({ name, className }: { name: string; className?: string }) {
  return (
    <img
      src={`${serverAddress}/api/v1/platform/adapters/${encodeURIComponent(name)}/icon`}
      alt=""
      className={classNames('size-6 shrink-0 rounded-md', className)}
    />
  );
}

/** A platform with its icon; an uninstalled one with its stored name. */
export function AdapterName({ name }: { name: string }) {
  const adapter = useQuery(adapterQuery(name));
  return (
    <span className="flex min-w-0 items-center gap-2">
      {adapter.data && <AdapterIcon name={name} />}
      <span className="truncate">{adapter.data ? localized(adapter.data.label) : name}</span>
    </span>
  );
}
