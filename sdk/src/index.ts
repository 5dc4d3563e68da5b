/** The contracts of Parley: what an extension author imports. */
export * from './chunk-index.ts';
export * from './config-schema.ts';
export * from './errors.ts';
export * from './feedback-event.ts';
export * from './i18n-text.ts';
export * from './knowledge-engine.ts';
export * from './logger.ts';
export * from './message-chain.ts';
export * from './message-event.ts';
export * from './model-requester.ts';
export * from './parser.ts';
export { PipelineConfig } from './pipeline-config/pipeline-config.ts';
export * from './platform.ts';
export * from './provider-error.ts';
export * from './retrieval.ts';
export * from './runner.ts';
export * from './stage.ts';
export * from './tool.ts';
