/**
 * What the module of a plugin is written with. It needs no other package when it runs, so that a packed plugin has
 * nothing of this one but what it uses.
 */
export * from './define-plugin.ts';
export type * from './message-chain.ts';
export { textOfChain } from './message-text.ts';
export type { DocumentBlock, DocumentPage, ParsedDocument, ParserFile } from './parser.ts';
export type * from './plugin.ts';
export type * from './plugin-manifest.ts';
export type { RetrievedPassage } from './retrieval.ts';
export type { PipelineMessage } from './stage.ts';
export type { ToolResult } from './tool.ts';
