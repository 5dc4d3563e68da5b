import Type from 'typebox';

export const UploadedDocument = Type.Object({
  file_id: Type.String({ description: 'Identifies the document when it is added to a knowledge base.' }),
});

/** For the API description; the parts are read as a stream. */
export const DocumentUpload = Type.Object({
  file: Type.Unsafe<never>({
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description: 'At most 10 MB.',
  }),
});
