/**
 * Suites that hold an extension to its contract, and fakes to test it with. Every implementation calls its suite in its
 * own test file; they register Vitest tests, so Vitest must be installed.
 */
export * from './connect-proxy.ts';
export * from './engine-contract.ts';
export * from './fake-embedding.ts';
export * from './fake-embedding-model.ts';
export * from './fake-engine-context.ts';
export * from './fake-language-model.ts';
export * from './fake-parser.ts';
export * from './fake-platform-context.ts';
export * from './fake-reranking-model.ts';
export * from './fake-runner-context.ts';
export * from './fake-stage-context.ts';
export * from './fake-tool.ts';
export * from './model-requester-contract.ts';
export * from './parser-contract.ts';
export * from './platform-contract.ts';
export type { Acknowledgement, FakeNetwork } from './platform-network-contract.ts';
export { casesOfConnections } from './platforms/cases/index.ts';
export * from './platforms/fake-platform.ts';
export { outgoingMessage, plain, RecordedProgress } from './platforms/outgoing.ts';
export type { SuiteRun } from './platforms/suite-run.ts';
export * from './runner-contract.ts';
export * from './silent-logger.ts';
export * from './stage-contract.ts';
