import Type from 'typebox';

/** There is nothing to set. */
export const ModelApiConfig = Type.Object({}, { additionalProperties: false });
