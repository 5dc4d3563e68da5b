import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** What goes wrong with a request. */
export type S3Fault =
  /** Answered with status 500, not carried out. */
  | 'refused'
  /** Answered with status 503 `SlowDown`, not carried out. */
  | 'slow down'
  /** The connection is cut before the request is read. */
  | 'cut'
  /** Carried out, and the connection is cut instead of the answer. */
  | 'answer lost'
  /** Never answered. */
  | 'silent'
  /** An answer with a body is cut in the middle of it; any other is lost. */
  | 'half answered';

/** A request as the choice of a fault sees it. */
export interface S3Request {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
}

/** A server of one bucket. Signatures are not checked. */
export interface S3Server {
  /** `http://127.0.0.1:<port>` */
  endpoint: string;
  bucket: string;
  /** Every request so far. */
  requests: readonly S3Request[];
  /** Chooses what goes wrong; null: nothing. At first nothing does. */
  fault: (request: S3Request) => S3Fault | null;
  /** Names of all objects. */
  objects(): string[];
  /** Names of the objects of multipart uploads that are neither complete nor aborted. */
  uploads(): string[];
  /** Makes all multipart uploads older by milliseconds. */
  age(milliseconds: number): void;
  stop(): Promise<void>;
}

const objectSuffix = '._S3rver_object';
const uploadsFolder = '._S3rver_uploads';

/**
 * Starts `@20minutes/s3rver` on a free port of 127.0.0.1, with what it lacks: an object appears when all of it has arrived
 * (s3rver writes it in place), multipart uploads can be listed and aborted, and one that does not exist is `NoSuchUpload`.
 */
export async function startS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-s3-'));
  const bucket = 'files';
  const uploads = join(directory, bucket, uploadsFolder);
  const application = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  await application.configureBuckets();
  storeWhole(application);
  const answer = withUploads(application.callback(), uploads);

  const requests: S3Request[] = [];
  const state = { fault: (_request: S3Request): S3Fault | null => null };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const seen = { method: request.method ?? '', url, headers: request.headers };
    requests.push({ ...seen, headers: { ...seen.headers } });
    // s3rver knows one account.
    delete request.headers.authorization;
    if (mayAnswer(state.fault(seen), request, response)) void answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const started = () => (existsSync(uploads) ? readdirSync(uploads) : []);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    requests,
    get fault() {
      return state.fault;
    },
    set fault(fault) {
      state.fault = fault;
    },
    objects: () =>
      readdirSync(join(directory, bucket), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(objectSuffix))
        .map((name) => name.slice(0, -objectSuffix.length)),
    uploads: () => started().map((id) => readFileSync(join(uploads, id, 'key'), 'utf8')),
    age: (milliseconds) => {
      for (const id of started()) {
        const path = join(uploads, id, 'key');
        const begun = (statSync(path).mtimeMs - milliseconds) / 1000;
        utimesSync(path, begun, begun);
      }
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Lets a request fail. @returns whether it is carried out */
function mayAnswer(fault: S3Fault | null, request: IncomingMessage, response: ServerResponse): boolean {
  switch (fault) {
    case null:
      return true;
    case 'refused':
    case 'slow down':
      request.resume();
      if (fault === 'refused') sendError(response, 500, 'InternalError');
      else sendError(response, 503, 'SlowDown');
      return false;
    case 'cut':
      request.socket.destroy();
      return false;
    case 'silent':
      request.resume();
      return false;
    case 'answer lost':
      response.write = () => true;
      response.end = () => response.destroy();
      return true;
    case 'half answered': {
      const write = response.write.bind(response) as (chunk: Uint8Array, done: () => void) => boolean;
      response.write = (chunk: Uint8Array) => write(chunk.subarray(0, chunk.length / 2), () => response.destroy());
      response.end = () => response.destroy();
      return true;
    }
  }
}

function sendError(response: ServerResponse, status: number, code: string): void {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml' }).end(text);
}

/** Content gets its name when it is complete, as everywhere but in s3rver. */
function storeWhole({ store }: S3rver): void {
  const putContent = store.putContent.bind(store);
  let writes = 0;
  store.putContent = async (path, content) => {
    writes += 1;
    const part = `${path}.${writes}.part`;
    const written = await putContent(part, content);
    renameSync(part, path);
    return written;
  };
}

/** Adds requests about multipart uploads. */
function withUploads(answer: RequestListener, uploads: string): RequestListener {
  return (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const upload = url.searchParams.get('uploadId');
    if (request.method === 'GET' && url.searchParams.has('uploads')) return list(response, uploads);
    if (upload !== null && !existsSync(join(uploads, upload))) {
      request.resume();
      return sendError(response, 404, 'NoSuchUpload');
    }
    if (request.method === 'POST' && upload !== null && hasSmallParts(join(uploads, upload))) {
      request.resume();
      return sendError(response, 400, 'EntityTooSmall');
    }
    if (request.method !== 'DELETE' || upload === null) return answer(request, response);
    rmSync(join(uploads, upload), { recursive: true });
    response.writeHead(204).end();
  };
}

/** Whether another part than the last has less than 5 MiB. */
function hasSmallParts(upload: string): boolean {
  const parts = readdirSync(upload).filter((name) => /^\d+$/.test(name));
  const sizes = parts
    .sort((left, right) => Number(left) - Number(right))
    .map((name) => statSync(join(upload, name)).size);
  return sizes.slice(0, -1).some((size) => size < 5 * 1024 * 1024);
}

/** Lists at most two uploads at a time. */
function list(response: ServerResponse, uploads: string): void {
  const ids = existsSync(uploads) ? readdirSync(uploads).sort() : [];
  const { searchParams } = new URL(response.req.url ?? '/', 'http://127.0.0.1');
  const after = searchParams.get('upload-id-marker') ?? '';
  const rest = ids.filter((id) => id > after);
  const key = (id: string) => readFileSync(join(uploads, id, 'key'), 'utf8');
  const shown = rest.slice(0, 2).map((id) => {
    const begun = statSync(join(uploads, id, 'key')).mtime.toISOString();
    return `<Upload><Key>${key(id)}</Key><UploadId>${id}</UploadId><Initiated>${begun}</Initiated></Upload>`;
  });
  const last = rest[1];
  const next =
    rest.length > 2 && last !== undefined
      ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${key(last)}</NextKeyMarker><NextUploadIdMarker>${last}</NextUploadIdMarker>`
      : '<IsTruncated>false</IsTruncated>';
  const text = `<ListMultipartUploadsResult>${shown.join('')}${next}</ListMultipartUploadsResult>`;
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`);
}
