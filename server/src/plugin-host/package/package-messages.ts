import type { ErrorDetail, ParleyError } from '@parley/sdk';
import type { InspectedPackage } from '../../core/plugins/package/inspect-package.ts';

/** What a thread is started with. */
export interface PackageQuestion {
  /** Path of the package. */
  file: string;
  /** Path of a folder that is made, to unpack it to; null to inspect it only. */
  folder: string | null;
}

/** The only message of a thread. */
export type PackageAnswer =
  | { type: 'inspected'; inspected: InspectedPackage }
  | { type: 'refused'; reason: ParleyError['reason']; message: string; details: ErrorDetail[] };
