import type { Collection } from './collection.ts';
import { editionState } from './collection-tables.ts';
import { codeOf } from './edition-writer.ts';
import { floats, type KnowledgeFile } from './knowledge-file.ts';
import { type Pieces, pieceMs } from './work-queue.ts';

/** Vectors from which the centre is taken, at most. */
const centreOf = 20_000;
const rowsAtOnce = 100;
/** Free pages, of 8 KB, that the file retains for new data. */
const retainedFreePages = 2000;

/** Removes the chunks of editions that are no longer shown. */
export function* purge(file: KnowledgeFile, collection: Collection): Pieces<void> {
  const { number } = collection;
  while (!collection.isDropped) {
    const edition = file.get<[number]>(
      `select number from editions_${number} where state = ? limit 1`,
      editionState.removed,
    );
    if (edition === undefined) break;
    const ids: number[] = [];
    file.transaction(() => {
      const until = performance.now() + pieceMs;
      const chunks = file.all<[number]>(
        `select id from chunks_${number} where edition = ? limit ?`,
        edition[0],
        rowsAtOnce,
      );
      for (const [id] of chunks) {
        if (performance.now() >= until) return;
        file.run(`delete from terms_${number} where rowid = ?`, id);
        file.run(`delete from vectors_${number} where id = ?`, id);
        file.run(`delete from codes_${number} where id = ?`, id);
        file.run(`delete from chunks_${number} where id = ?`, id);
        ids.push(id);
      }
      if (chunks.length < rowsAtOnce) file.run(`delete from editions_${number} where number = ?`, edition[0]);
    });
    if (collection.isLoaded) collection.table.remove(ids);
    yield;
  }
  if (!collection.isDropped && collection.isLoaded) collection.table.compact();
}

/** Returns freed space to the disk when it is a large part of the file. */
export function* giveBack(file: KnowledgeFile): Pieces<void> {
  while (true) {
    const free = file.get<[number]>('pragma freelist_count')?.[0] ?? 0;
    const pages = file.get<[number]>('pragma page_count')?.[0] ?? 0;
    if (free < retainedFreePages || free * 4 < pages) return;
    file.execute('pragma incremental_vacuum(200)');
    yield;
  }
}

/**
 * Computes missing codes of vectors: first the mean vector that they are computed against. Without it, models whose
 * vectors all lean to one side would get nearly the same code for everything.
 */
export function* encode(file: KnowledgeFile, collection: Collection): Pieces<void> {
  collection.isEncoding = true;
  try {
    if (collection.centre === null) {
      const centre = yield* meanOf(file, collection);
      if (centre === null || collection.isDropped) return;
      collection.setCentre(centre);
    }
    const { number, centre } = collection;
    while (!collection.isDropped && collection.table.withoutCode > 0 && centre !== null) {
      const { table } = collection;
      const slots = table.slotsWithoutCode(rowsAtOnce);
      file.transaction(() => {
        for (const slot of slots) {
          const id = table.idOf(slot);
          const row = file.get<[Uint8Array]>(`select vector from vectors_${number} where id = ?`, id);
          // None when the row is gone: then the data in memory is stale and read again.
          if (row === undefined) throw new Error(`The vector of chunk ${id} is missing`);
          const code = codeOf(floats(row[0]), centre);
          file.run(`insert or replace into codes_${number} (id, code) values (?, ?)`, id, new Uint8Array(code.buffer));
          table.setCode(slot, code);
        }
      });
      yield;
    }
  } finally {
    collection.isEncoding = false;
  }
}

function* meanOf(file: KnowledgeFile, collection: Collection): Pieces<Float32Array | null> {
  const { dimensions, number } = collection;
  if (dimensions === null) return null;
  const sum = new Float64Array(dimensions);
  let count = 0;
  let last = 0;
  while (count < centreOf && !collection.isDropped) {
    const rows = file.all<[number, Uint8Array]>(
      `select id, vector from vectors_${number} where id > ? order by id limit ?`,
      last,
      rowsAtOnce,
    );
    for (const [id, bytes] of rows) {
      const vector = floats(bytes);
      for (let index = 0; index < dimensions; index++) {
        // Both have as many dimensions.
        sum[index] = (sum[index] as number) + (vector[index] as number);
      }
      count += 1;
      last = id;
    }
    if (rows.length < rowsAtOnce) break;
    yield;
  }
  return count === 0 ? null : Float32Array.from(sum, (value) => value / count);
}
