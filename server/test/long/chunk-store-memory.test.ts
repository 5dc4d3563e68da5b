import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-chunks-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('twenty thousand vectors need little memory', { timeout: 300_000 }, async () => {
  const said = await saidBy(`
    const store = new SqliteChunkStore({ dataDir, logger });
    const dimensions = 768;
    const before = process.memoryUsage.rss();
    await store.create('c', { language: 'english' });
    const base = Array.from({ length: 100 }, (_, at) => Float32Array.from({ length: dimensions }, (_, index) => Math.sin(at * 7 + index)));
    for (let document = 0; document < 200; document++) {
      const edition = await store.begin('c', indexedDocument('d' + document));
      const chunks = base.map((vector, position) => {
        vector[document] += 1;
        return newChunk(position, 'whale w' + ((document * 31 + position) % 5000), { vector });
      });
      await store.add('c', edition, chunks);
      await store.publish('c', edition);
    }
    const { vector } = await store.search('c', { vector: base[0], text: 'w77', limit: 10 });
    await store.close();
    console.log(JSON.stringify({ grown: process.resourceUsage().maxRSS * 1024 - before, found: vector.length }));
  `);
  const { grown, found } = JSON.parse(said) as { grown: number; found: number };
  expect(found).toBe(10);
  // The thread itself, its cache and the signs of the vectors; the vectors alone would be 61 MB.
  expect(grown).toBeLessThan(180e6);
});

/** What a process writes that has the parts of a store at hand. */
async function saidBy(program: string): Promise<string> {
  const moduleAt = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const source = `
    import { indexedDocument, newChunk } from ${moduleAt('../stores/chunk-store-fixture.ts')};
    import { SqliteChunkStore } from ${moduleAt('../../src/storage/knowledge/sqlite/sqlite-chunk-store.ts')};
    const dataDir = ${JSON.stringify(dataDir)};
    const logger = { debug() {}, info() {}, warn: console.error, error: console.error };
    ${program}
  `;
  const path = join(dataDir, 'program.mjs');
  writeFileSync(path, source);
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(code).toBe(0);
  return said;
}
