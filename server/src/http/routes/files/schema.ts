import Type from 'typebox';

export const UploadedDocument = Type.Object({
  file_id: Type.String({ description: 'Identifies the document when it is added to a knowledge base.' }),
});

export const UploadedImage = Type.Object({
  file_key: Type.String({
    description: 'Identifies the image: in the `path` of an `Image` element, and at `/api/v1/files/image/{key}`.',
  }),
});

/** For the API description; the parts are read as a stream. */
function upload(description: string) {
  return Type.Object({
    file: Type.Unsafe<never>({ type: 'string', contentMediaType: 'application/octet-stream', description }),
  });
}

export const DocumentUpload = upload('At most 10 MB.');
export const ImageUpload = upload(
  'A PNG, JPEG, GIF or WebP image of at most 10 MB. Its content tells which, not its name.',
);

export const ImageParams = Type.Object({ key: Type.String() });

const bytes = { schema: Type.Unsafe<never>({ type: 'string', format: 'binary' }) };
export const ImageAnswer = {
  description: 'The image.',
  content: { 'image/png': bytes, 'image/jpeg': bytes, 'image/gif': bytes, 'image/webp': bytes },
};
export const ImageUnchanged = Type.Null({ description: 'The image matches the `If-None-Match` header.' });
