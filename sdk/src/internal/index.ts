/**
 * What only the service's own extensions need: the web chat, the model API and the built-in knowledge engine. Not part of
 * the published package; it changes with the service.
 */
export * from './chunk-index.ts';
export * from './knowledge-engine.ts';
export * from './platform.ts';
