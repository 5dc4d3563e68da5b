import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dataFolderId } from './data-folder-id.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-folder-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

it('a data folder has one id, also after it was moved', () => {
  const first = join(directory, 'first');
  cpSync(mkdtempSync(join(directory, 'empty-')), first, { recursive: true });
  const id = dataFolderId(first);
  expect(dataFolderId(first)).toBe(id);
  expect(readdirSync(first)).toEqual(['folder.id']);
  expect(statSync(join(first, 'folder.id')).mode & 0o777).toBe(0o600);
  renameSync(first, join(directory, 'moved'));
  expect(dataFolderId(join(directory, 'moved'))).toBe(id);
});

it('a copy of a data folder gets another id, and so does one whose file is damaged', () => {
  const first = mkdtempSync(join(directory, 'first-'));
  const id = dataFolderId(first);
  const copy = join(directory, 'copy');
  cpSync(first, copy, { recursive: true });
  expect(dataFolderId(copy)).not.toBe(id);
  expect(dataFolderId(first)).toBe(id);
  writeFileSync(join(first, 'folder.id'), 'no');
  expect(dataFolderId(first)).not.toBe(id);
});
