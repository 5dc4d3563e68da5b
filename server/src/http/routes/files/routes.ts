import { Readable } from 'node:stream';
import Type from 'typebox';
import { answers, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  AttachmentUpload,
  DocumentUpload,
  ImageAnswer,
  ImageParams,
  ImageUnchanged,
  ImageUpload,
  UploadedAttachment,
  UploadedDocument,
  UploadedImage,
} from './schema.ts';
import { acceptUploads, receiveFile, uploadHandling } from './uploads.ts';

const consumes = ['multipart/form-data'];
const uploads = {
  access: { credential: 'either', scope: 'write', role: 'member' },
  audit: 'file.upload',
  idempotency: 'upload',
} as const;

export async function fileRoutes(
  server: TypedServer,
  { files, attachmentTexts }: Pick<RouteServices, 'files' | 'attachmentTexts'>,
) {
  await server.register(async (scope) => {
    const typed = scope as unknown as TypedServer;
    await acceptUploads(typed);

    typed.post(
      '/api/v1/files/documents',
      {
        ...uploadHandling,
        config: uploads,
        schema: {
          summary: 'Upload a document',
          consumes,
          body: DocumentUpload,
          response: answers(UploadedDocument, 400, 401, 403, 413, 415),
        },
      },
      async (request) => success({ file_id: await receiveFile(request, (...file) => files.storeDocument(...file)) }),
    );

    typed.post(
      '/api/v1/files/images',
      {
        ...uploadHandling,
        config: uploads,
        schema: {
          summary: 'Upload an image for a chat',
          consumes,
          body: ImageUpload,
          response: answers(UploadedImage, 400, 401, 403, 413, 415),
        },
      },
      async (request) => success({ file_key: await receiveFile(request, (...file) => files.storeImage(...file)) }),
    );

    typed.post(
      '/api/v1/files/attachments',
      {
        ...uploadHandling,
        config: { ...uploads, access: { credential: 'either', scope: 'send', role: 'member' } },
        schema: {
          summary: 'Upload a file for a message',
          consumes,
          body: AttachmentUpload,
          response: answers(UploadedAttachment, 400, 401, 403, 413, 415),
        },
      },
      async (request) => {
        const stored = await receiveFile(request, (...file) =>
          files.storeAttachment(...file, (one) => attachmentTexts.accepts(one)),
        );
        const { path: file_key, name, size, media_type, url } = stored;
        return success({ attachment: { file_key, name, size, media_type, is_image: url !== undefined } });
      },
    );
  });

  server.get(
    '/api/v1/files/image/:key',
    {
      config: { access: 'open' },
      schema: {
        summary: 'An uploaded image or an image of a message; its key grants access',
        params: ImageParams,
        response: { 200: ImageAnswer, 304: ImageUnchanged, 404: Type.Ref('ErrorResponse') },
      },
    },
    async (request, reply) => {
      const image = await files.image(request.params.key);
      const etag = `"${image.sha256}"`;
      reply
        .header('etag', etag)
        // The content of a key never changes. The key is the only protection, so shared caches must not store it.
        .header('cache-control', 'private, max-age=31536000, immutable')
        // Pages of other origins may show the image if they know the key.
        .header('cross-origin-resource-policy', 'cross-origin');
      if (isNamed(etag, request.headers['if-none-match'])) return reply.code(304).send(null);
      // HEAD returns the length without the content.
      const content = request.method === 'HEAD' ? [] : image.content;
      return reply
        .type(image.media_type)
        .header('content-length', image.size)
        .header('content-disposition', `inline; filename="image.${image.extension}"`)
        .send(Readable.from(content, { objectMode: false }) as never);
    },
  );
}

/** Whether an `If-None-Match` header contains the tag. */
function isNamed(etag: string, header: string | undefined): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
