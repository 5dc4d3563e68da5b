import multipart from '@fastify/multipart';
import { invalidFields, ParleyError } from '@parley/sdk';
import type { FastifyRequest } from 'fastify';
import { fileTooLarge, maximumFileBytes } from '../../../core/files/file.ts';
import { findStorageError } from '../../../lib/storage-error.ts';
import { followUpload, isAnsweredBefore } from '../../idempotency.ts';
import type { TypedServer } from '../route-plugin.ts';

/** Room for the part's headers and the boundaries around the file. */
const envelopeBytes = 64 * 1024;

/** Keeps a file while it arrives. @param verify throws when the rest of the request is not as it should be */
type KeepFile = (name: string, content: AsyncIterable<Uint8Array>, verify: () => Promise<void>) => Promise<string>;

/** Makes a server take bodies of one file. */
export async function acceptUploads(server: TypedServer): Promise<void> {
  await server.register(multipart, {
    limits: {
      // One byte more than may pass, so that the limit is ours to judge and not cut off in silence.
      fileSize: maximumFileBytes + 1,
      files: 2,
      // A field is read to say what is wrong with it, and no further.
      fields: 1,
      fieldSize: 1,
      parts: 3,
      headerPairs: 20,
    },
    throwFileSizeLimit: false,
  });
}

/** What every route that takes a file has beside its path and its schema. */
export const uploadHandling = {
  /** A body that says that it is too large need not be read to be refused. */
  onRequest: async (request: FastifyRequest): Promise<void> => {
    if (Number(request.headers['content-length']) > maximumFileBytes + envelopeBytes) throw fileTooLarge();
  },
  // The body is a stream, judged while it is read.
  validatorCompiler: () => () => true,
};

/**
 * Hands the one file of a request over, piece by piece.
 * @returns what `keep` returns
 * @throws ParleyError for everything that is wrong with the request; what `keep` throws
 */
export async function receiveFile(request: FastifyRequest, keep: KeepFile): Promise<string> {
  if (!request.isMultipart()) {
    throw new ParleyError('unsupported_media_type', 'The content type must be multipart/form-data');
  }
  try {
    const parts = request.parts();
    const { value: part } = await parts.next();
    if (part?.fieldname !== 'file') throw invalid('is required, as the only part');
    if (part.type !== 'file') throw invalid('must be a file');
    const upload = followUpload(request, part);
    return await keep(part.filename ?? '', upload.content, async () => {
      if (!(await parts.next()).done) throw invalid('must be the only part');
      await upload.begin();
    });
  } catch (error) {
    // What is still on its way is passed over, so that the client gets to read the answer and the connection its end.
    request.raw.unpipe();
    request.raw.resume();
    throw asUploadError(error, request);
  }
}

function invalid(message: string): ParleyError {
  return invalidFields([{ path: 'file', message }]);
}

/** What the parser of the upload throws is the caller's fault: a cut, malformed or overfull body. */
function asUploadError(error: unknown, request: FastifyRequest): Error {
  if (error instanceof ParleyError || isAnsweredBefore(error)) return error;
  const fault = findStorageError(error);
  if (fault !== null) return fault;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (request.raw.destroyed && !request.raw.complete) {
    return new ParleyError('client_closed_request', 'The upload was aborted', { cause: error });
  }
  if (['FST_FILES_LIMIT', 'FST_PARTS_LIMIT', 'FST_FIELDS_LIMIT'].includes(code))
    return invalid('must be the only part');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'FST_REQ_FILE_TOO_LARGE') {
    return fileTooLarge();
  }
  if (code.startsWith('E')) throw error;
  return new ParleyError('invalid_request', `The multipart body cannot be read: ${message}`, { cause: error });
}
