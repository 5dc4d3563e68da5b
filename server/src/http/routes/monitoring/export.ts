import { Readable } from 'node:stream';
import { cellsOf, exportColumns } from '../../../core/monitoring/export-tables.ts';
import type { RecordFilter } from '../../../core/monitoring/monitoring-reader.ts';
import type { MonitoringService } from '../../../core/monitoring/monitoring-service.ts';
import type { MonitoredRecords, RecordKind } from '../../../core/monitoring/records.ts';

/** Records written per turn of the event loop. */
const recordsOfTurn = 100;
/** Lets spreadsheets detect the encoding. */
const byteOrderMark = '\uFEFF';

export type ExportFormat = 'csv' | 'json';
export const exportTypes: Record<ExportFormat, { contentType: string; extension: string }> = {
  csv: { contentType: 'text/csv; charset=utf-8', extension: 'csv' },
  json: { contentType: 'application/x-ndjson; charset=utf-8', extension: 'ndjson' },
};

type Write = <Kind extends RecordKind>(kind: Kind, records: readonly MonitoredRecords[Kind][]) => string;

/**
 * Streams records at the speed of the client; stops reading when the client disconnects. Resolves when the first
 * records are available.
 */
export async function exportRecords(
  monitoring: Pick<MonitoringService, 'records'>,
  { kind, filter, limit, format }: { kind: RecordKind; filter: RecordFilter; limit: number; format: ExportFormat },
): Promise<Readable> {
  const records = monitoring.records(kind, filter, limit);
  const write = format === 'csv' ? await csvWriter() : writeLines;
  // Immediate errors are answered as errors, not as a file that ends early.
  const first = await records.next();
  async function* parts() {
    try {
      if (format === 'csv') yield `${byteOrderMark}${exportColumns[kind].join(',')}\n`;
      for (let batch = first; batch.done !== true; batch = await records.next()) {
        for (let index = 0; index < batch.value.length; index += recordsOfTurn) {
          yield write(kind, batch.value.slice(index, index + recordsOfTurn));
        }
      }
    } finally {
      await records.return(undefined);
    }
  }
  return Readable.from(parts(), { objectMode: false, highWaterMark: 65_536 });
}

/** Escapes cells that a spreadsheet would treat as formulas. */
async function csvWriter(): Promise<Write> {
  const { stringify } = await import('csv-stringify/sync');
  return (kind, records) =>
    stringify(
      records.map((record) => cellsOf(kind, record)),
      { record_delimiter: '\n', escape_formulas: true, quoted_match: /[\r\n]/ },
    );
}

const writeLines: Write = (_kind, records) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
