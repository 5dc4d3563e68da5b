import Type from 'typebox';

/** The web chat needs no settings. */
export const WebSocketConfig = Type.Object({}, { additionalProperties: false });
