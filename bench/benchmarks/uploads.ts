import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Benchmark } from '../lib/benchmark.ts';
import { peakMegabytes, processorSeconds, residentMegabytes, settledMegabytes } from '../lib/process-usage.ts';
import { createProgram, type Program } from '../lib/program.ts';
import { dataDirectory, warmUp, withFolder, withService } from '../lib/service-process.ts';
import { round } from '../lib/statistics.ts';

/** The largest allowed document. */
const documentBytes = 10_485_760;
const block = randomBytes(64 * 1024);

export const uploads: Benchmark<'uploads' | 'parallel'> = {
  summary: 'Uploads documents of 10 MB concurrently, and measures the peak memory of the service.',
  defaults: { uploads: 100, parallel: 10 },
  run: ({ uploads: total, parallel }) =>
    withFolder(async (folder) => {
      await warmUp(folder);
      return await withService(folder, async (service) => {
        const program = await createProgram(service.address);
        const before = await settledMegabytes(service.pid);
        let highest = before;
        const sampler = setInterval(() => {
          highest = Math.max(highest, residentMegabytes(service.pid));
        }, 50);
        const processorBefore = processorSeconds(service.pid);
        const begun = performance.now();
        let taken = 0;
        const oneAfterAnother = async () => {
          while (taken++ < total) await upload(service.address, program);
        };
        try {
          await Promise.all(Array.from({ length: parallel }, oneAfterAnother));
        } finally {
          clearInterval(sampler);
        }
        const seconds = (performance.now() - begun) / 1000;
        const processorAfter = processorSeconds(service.pid);
        const peak = peakMegabytes(service.pid) ?? highest;
        const sizes = await storedSizes(join(dataDirectory(folder), 'files'));
        if (sizes.length !== total || sizes.some((size) => size !== documentBytes)) {
          throw new Error(
            `${total} uploads were answered 200, and ${sizes.length} files are there: ${sizes.join(' ')}`,
          );
        }
        return {
          peak_mb: round(peak, 1),
          before_mb: round(before, 1),
          afterwards_mb: round(await settledMegabytes(service.pid), 1),
          seconds: round(seconds, 1),
          processor_ms_per_upload:
            processorBefore === null || processorAfter === null
              ? null
              : round(((processorAfter - processorBefore) * 1000) / total, 1),
          megabytes_per_second: round((total * documentBytes) / 1e6 / seconds),
          files_on_disk: sizes.length,
          uploads: total,
          parallel,
        };
      });
    }),
};

/** Uploads one document as a stream. @throws Error unless the response is 200 */
async function upload(address: string, { headers }: Program): Promise<void> {
  const boundary = 'parley-benchmark';
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="document.bin"\r\n` +
      'content-type: application/octet-stream\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const outgoing = request(`${address}/api/v1/files/documents`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + documentBytes + tail.length,
    },
  });
  const answered = new Promise<string>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      text(response).then((body) => {
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`An upload was answered ${response.statusCode}: ${body}`));
      }, reject);
    });
  });
  const body = function* () {
    yield head;
    for (let sent = 0; sent < documentBytes; sent += block.length) yield block;
    yield tail;
  };
  await Promise.all([pipeline(Readable.from(body()), outgoing), answered]);
}

async function storedSizes(directory: string): Promise<number[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
}
