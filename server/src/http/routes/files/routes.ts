import multipart from '@fastify/multipart';
import { invalidFields, ParleyError } from '@parley/sdk';
import type { FastifyRequest } from 'fastify';
import { fileTooLarge, maximumFileBytes } from '../../../core/files/file.ts';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { DocumentUpload, UploadedDocument } from './schema.ts';

/** Room for the part's headers and the boundaries around the file. */
const envelopeBytes = 64 * 1024;

export async function fileRoutes(server: TypedServer, { files }: Pick<RouteServices, 'files'>) {
  await server.register(async (scope) => {
    await scope.register(multipart, {
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
    const typed = scope as unknown as TypedServer;
    typed.post(
      '/api/v1/files/documents',
      {
        config: { access: { credential: 'either', scope: 'write' } },
        onRequest: async (request) => refuseAnnouncedSize(request),
        // The body is a stream, judged while it is read.
        validatorCompiler: () => () => true,
        schema: {
          tags: ['files'],
          summary: 'Upload a document',
          consumes: ['multipart/form-data'],
          body: DocumentUpload,
          response: answers(UploadedDocument, 400, 401, 403, 413, 415),
        },
      },
      async (request) => success({ file_id: await storeUpload(request, files) }),
    );
  });
}

/** A body that says that it is too large need not be read to be refused. */
function refuseAnnouncedSize(request: FastifyRequest): void {
  if (Number(request.headers['content-length']) > maximumFileBytes + envelopeBytes) throw fileTooLarge();
}

async function storeUpload(request: FastifyRequest, files: RouteServices['files']): Promise<string> {
  if (!request.isMultipart()) {
    throw new ParleyError('unsupported_media_type', 'The content type must be multipart/form-data');
  }
  try {
    const parts = request.parts();
    const { value: part } = await parts.next();
    if (part?.fieldname !== 'file') throw invalid('is required, as the only part');
    if (part.type !== 'file') throw invalid('must be a file');
    return await files.storeDocument(part.filename ?? '', part.file, async () => {
      if (!(await parts.next()).done) throw invalid('must be the only part');
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
function asUploadError(error: unknown, request: FastifyRequest): ParleyError {
  if (error instanceof ParleyError) return error;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (request.raw.destroyed && !request.raw.complete) {
    return new ParleyError('client_closed_request', 'The upload was aborted', { cause: error });
  }
  if (['FST_FILES_LIMIT', 'FST_PARTS_LIMIT', 'FST_FIELDS_LIMIT'].includes(code))
    return invalid('must be the only part');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'FST_REQ_FILE_TOO_LARGE') {
    return fileTooLarge();
  }
  if (code.startsWith('E') || code.startsWith('SQLITE')) throw error;
  return new ParleyError('invalid_request', `The multipart body cannot be read: ${message}`, { cause: error });
}
