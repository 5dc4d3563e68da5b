import Type from 'typebox';

/** No settings. */
export const ModelApiConfig = Type.Object({}, { additionalProperties: false });
