import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { ParleyError } from '@parley/sdk';
import { tooLarge } from '../../core/plugins/package/inspect-package.ts';
import { packageLimits } from '../../core/plugins/package/package-archive.ts';

/**
 * Reads a package into memory.
 * @throws ParleyError `not_found` when there is no such file, `plugin_invalid` when it is larger than any package
 */
export async function readPackageFile(path: string): Promise<Buffer> {
  const status = await stat(path).catch((error: unknown) => {
    throw missing(path, error);
  });
  // A pipe might never end.
  if (!status.isFile()) throw missing(path);
  if (status.size > packageLimits.packageBytes) throw tooLarge();
  // One byte more than may be: it may grow meanwhile.
  return await buffer(createReadStream(path, { end: packageLimits.packageBytes }));
}

function missing(path: string, cause?: unknown): ParleyError {
  return new ParleyError('not_found', `There is no file ${path}`, { cause });
}
