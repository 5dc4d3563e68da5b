import { useQuery } from '@tanstack/react-query';
import { classNames } from '../../lib/class-names.ts';
import { localized } from '../../lib/i18n.ts';
import { serverAddress } from '../../lib/server-address.ts';
import { requestersQuery } from './model-queries.ts';

/** The icon of a requester. */
export function RequesterIcon({ name, className }: { name: string; className?: string }) {
  return (
    <img
      src={`${serverAddress}/api/v1/provider/requesters/${encodeURIComponent(name)}/icon`}
      alt=""
      className={classNames('size-6 shrink-0 rounded-md', className)}
    />
  );
}

/** The label of a requester; an uninstalled one with its stored name. */
export function RequesterLabel({ name }: { name: string }) {
  const requesters = useQuery(requestersQuery);
  const found = requesters.data?.find((requester) => requester.name === name);
  return found === undefined ? name : localized(found.label);
}
