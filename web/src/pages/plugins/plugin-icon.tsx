import { classNames } from '../../lib/class-names.ts';
import { serverAddress } from '../../lib/server-address.ts';

/** The icon of an installed plugin. @param id `author/name` @param version which icon it is */
export function PluginIcon({ id, version, className }: { id: string; version: string; className?: string }) {
  return (
    <img
      src={`${serverAddress}/api/v1/plugins/${id}/icon?version=${encodeURIComponent(version)}`}
      alt=""
      className={classNames('size-9 shrink-0 rounded-lg object-contain', className)}
    />
  );
}
