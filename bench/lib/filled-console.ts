import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { linesAt, makePdf } from '../../server/src/parsers/pdf/testing/make-pdf.ts';
import type { Caller } from './program.ts';

export interface ConsoleRecords {
  bots: number;
  pipelines: number;
}

/** Where the records are in the console. */
export interface FilledConsole {
  /** Uuid of a knowledge base with one document, a PDF file. */
  base: string;
  /** Uuid of the default pipeline. */
  pipeline: string;
}

/** A question that finds a page in the middle of the PDF file. */
export const question = 'When is valve 17 opened?';
const pages = 40;

/** Creates bots, which are disabled, pipelines, and a knowledge base with a document. */
export async function createRecords({ call }: Caller, { bots, pipelines }: ConsoleRecords): Promise<FilledConsole> {
  const [standard] = (await call('GET', '/api/v1/pipelines')).pipelines;
  for (let number = 1; number < pipelines; number++) {
    await call('POST', '/api/v1/pipelines', { name: `Pipeline ${number}`, description: 'Answers questions.' });
  }
  for (let number = 0; number < bots; number++) {
    await call('POST', '/api/v1/platform/bots', {
      name: `Bot ${number}`,
      adapter: 'telegram',
      adapter_config: { token: `${100_000 + number}:${'x'.repeat(35)}` },
      enable: false,
      use_pipeline_uuid: standard.uuid,
    });
  }
  const { uuid: base } = await call('POST', '/api/v1/knowledge/bases', {
    name: 'Manuals',
    knowledge_engine_plugin_id: 'parley/built-in',
  });
  return { base, pipeline: standard.uuid };
}

/** Uploads a PDF file of 40 pages and waits until it is indexed. @param token of a user */
export async function addManual(address: string, token: string, { call }: Caller, base: string): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(manual())]), 'manual.pdf');
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${address}/api/v1/files/documents`, { method: 'POST', body: form, headers });
  const { data } = (await response.json()) as { data: { file_id: string } };
  await call('POST', `/api/v1/knowledge/bases/${base}/files`, { file_id: data.file_id });
  for (const end = performance.now() + 60_000; performance.now() < end; await delay(100)) {
    const { files } = await call('GET', `/api/v1/knowledge/bases/${base}/files`);
    if (files[0].status === 'completed') return;
  }
  throw new Error('The manual was not indexed in time');
}

function manual(): Uint8Array {
  const text = (page: number) => [
    `Valve ${page}`,
    `Valve ${page} is opened when the pressure of tank ${page} is above ${page} bar.`,
    ...Array.from({ length: 30 }, (_, line) => `It is checked every ${line + 2} days, and its seal is kept dry.`),
  ];
  return makePdf(Array.from({ length: pages }, (_, page) => linesAt(60, 90, text(page + 1), 11)));
}

/**
 * Copies the only document of a base until there are this many. The copies have no chunks: they are for lists.
 * @param file the SQLite file of a service that is not running
 */
export function copyDocument(file: string, base: string, count: number): void {
  const database = new DatabaseSync(file);
  try {
    const only = 'select * from knowledge_documents where knowledge_base_uuid = ?';
    // Nothing else is in a row of SQLite.
    const document = database.prepare(only).get(base) as Record<string, SQLInputValue>;
    const { file_uuid: original = null } = document;
    const upload = database.prepare('select * from files where uuid = ?').get(original);
    database.exec('begin');
    for (let number = 1; number < count; number++) {
      const place = String(number).padStart(12, '0');
      const ofCopy = { file_name: `Document ${number}.pdf`, sha256: place };
      const file_uuid = `00000000-0000-7000-9000-${place}`;
      insert(database, 'files', { ...upload, uuid: file_uuid, name: ofCopy.file_name, sha256: place });
      insert(database, 'knowledge_documents', {
        ...document,
        ...ofCopy,
        uuid: `00000000-0000-7000-8000-${place}`,
        file_uuid,
      });
    }
    database.exec('commit');
  } finally {
    database.close();
  }
}

function insert(database: DatabaseSync, table: string, row: Record<string, SQLInputValue>): void {
  const names = Object.keys(row);
  database
    .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
    .run(...Object.values(row));
}
