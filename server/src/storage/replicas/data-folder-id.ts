import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newUuid } from '../../lib/uuid.ts';

const fileName = 'folder.id';

/**
 * Names a data folder among those of all replicas; made at its first start. A start takes over the work of earlier ones on
 * the same folder at once, so a copy of a folder needs another name: the file holds its own number in the file system too.
 */
export function dataFolderId(dataDir: string): string {
  const path = join(dataDir, fileName);
  if (existsSync(path)) {
    const [id, place] = readFileSync(path, 'utf8').trim().split(' ');
    if (id && place === placeOf(path)) return id;
  }
  const id = newUuid();
  // Complete before it has its name.
  const part = `${path}.part`;
  writeFileSync(part, '', { mode: 0o600 });
  writeFileSync(part, `${id} ${placeOf(part)}\n`, { flush: true });
  renameSync(part, path);
  return id;
}

function placeOf(path: string): string {
  return String(statSync(path, { bigint: true }).ino);
}
