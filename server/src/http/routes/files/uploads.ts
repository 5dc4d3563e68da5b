import multipart from '@fastify/multipart';
import { invalidFields, ParleyError } from '@parley/sdk';
import type { FastifyRequest } from 'fastify';
import { fileTooLarge, maximumFileBytes } from '../../../core/files/file.ts';
import { findStorageError } from '../../../lib/storage-error.ts';
import { followUpload, isAnsweredBefore } from '../../idempotency.ts';
import type { TypedServer } from '../route-plugin.ts';

/** Space for the part headers and boundaries. */
const envelopeBytes = 64 * 1024;

/** Stores a file while it arrives. @param verify throws if the rest of the request is invalid */
type KeepFile<Result> = (
  name: string,
  content: AsyncIterable<Uint8Array>,
  verify: () => Promise<void>,
) => Promise<Result>;

/** Accepts bodies with one file. */
export async function acceptUploads(server: TypedServer): Promise<void> {
  await server.register(multipart, {
    limits: {
      // One byte more than allowed, so that exceeding the limit is an error and not a silent truncation.
      fileSize: maximumFileBytes + 1,
      files: 2,
      // Fields are read only to report them as an error.
      fields: 1,
      fieldSize: 1,
      parts: 3,
      headerPairs: 20,
    },
    throwFileSizeLimit: false,
  });
}

/** Common options of upload routes. */
export const uploadHandling = {
  /** A body with a too large declared length is rejected unread. */
  onRequest: async (request: FastifyRequest): Promise<void> => {
    if (Number(request.headers['content-length']) > maximumFileBytes + envelopeBytes) throw fileTooLarge();
  },
  // The body is a stream, validated while it is read.
  validatorCompiler: () => () => true,
};

/**
 * Streams the only file of a request.
 * @returns the result of `keep`
 * @throws ParleyError for an invalid request; errors of `keep`
 */
export async function receiveFile<Result>(request: FastifyRequest, keep: KeepFile<Result>): Promise<Result> {
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
    // The remaining body is drained, so that the client reads the response before the connection closes.
    request.raw.unpipe();
    request.raw.resume();
    throw asUploadError(error, request);
  }
}

function invalid(message: string): ParleyError {
  return invalidFields([{ path: 'file', message }]);
}

/** Errors of the multipart parser are client errors: a truncated, malformed or too large body. */
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
