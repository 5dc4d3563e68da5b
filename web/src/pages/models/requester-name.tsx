import { useQuery } from '@tanstack/react-query';
import { classNames } from '../../lib/class-names.ts';
import { localized } from '../../lib/i18n.ts';
import { serverAddress } from '../../lib/server-address.ts';
import { requestersQuery } from './model-queries.ts';

/** The picture of a kind of provider. */
export function RequesterIcon({ name, className }: { name: string; className?: string }) {
  return (
    <img
      src={`${serverAddress}/api/v1/provider/requesters/${encodeURIComponent(name)}/icon`}
      alt=""
      className={classNames('size-6 shrink-0 rounded-md', className)}
    />
  );
}

/** A kind of provider as people call it; one that is gone by the word it had. */
export function RequesterLabel({ name }: { name: string }) {
  const requesters = useQuery(requestersQuery);
  const found = requesters.data?.find((requester) => requester.name === name);
  return found === undefined ? name : localized(found.label);
}
