import Type from 'typebox';

export const UploadedDocument = Type.Object({
  file_id: Type.String({ description: 'Identifies the document when it is added to a knowledge base.' }),
});

export const UploadedImage = Type.Object({
  file_key: Type.String({
    description: 'Identifies the image: in the `path` of an `Image` element, and at `/api/v1/files/image/{key}`.',
  }),
});

export const UploadedAttachment = Type.Object({
  attachment: Type.Object({
    file_key: Type.String({ description: 'Identifies the file: in the `path` of an `Image` or a `File` element.' }),
    name: Type.String(),
    size: Type.Integer({ description: 'Bytes.' }),
    media_type: Type.String({ description: 'Found by looking at the content.' }),
    is_image: Type.Boolean({ description: 'Whether it is sent as `Image`; other files as `File`.' }),
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

export const AttachmentUpload = upload('An image, a text, or a document of a supported format, of at most 10 MB.');

export const ImageParams = Type.Object({ key: Type.String() });

const bytes = { schema: Type.Unsafe<never>({ type: 'string', format: 'binary' }) };
export const ImageAnswer = {
  description: 'The image.',
  content: { 'image/png': bytes, 'image/jpeg': bytes, 'image/gif': bytes, 'image/webp': bytes },
};
export const ImageUnchanged = Type.Null({ description: 'The image matches the `If-None-Match` header.' });
