import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Questions of newcomers, the file that answers each, and what is found there. */
const answers = [
  [
    'Which rule decides whether a group message is answered?',
    'stages/group-rules/index.ts',
    'function createGroupRules',
  ],
  ['Where is a model call retried?', 'runners/local-agent/model-retry.ts', 'function retryModelCall'],
  ['What happens to messages after a crash?', 'storage/messages/message-takeover.ts', 'function takeOverMessages'],
  ['Where are the defaults of a pipeline?', 'core/pipelines/pipeline-schema.ts', 'const defaults = Default('],
  ['Where does a request get its 404?', 'http/error-mapping.ts', 'not_found: 404'],
  ['Where is the history limited?', 'core/conversations/history-limits.ts', 'function truncateHistory'],
  ['Where is an answer split for a platform?', 'stages/split/index.ts', 'const split: Stage'],
  ['Where is a secret encrypted?', 'lib/secret-box.ts', '  seal('],
  ['Where is a document cut into chunks?', 'engines/built-in/chunk-document.ts', 'function* chunkDocument'],
  ['Where is a platform added?', 'platforms/index.ts', 'const platforms: readonly Platform[]'],
] as const;

it.each(answers)('%s ARCHITECTURE.md says %s', (question, file, symbol) => {
  const path = `server/src/${file}`;
  expect(read('ARCHITECTURE.md')).toContain(`| ${question} | \`${path}\` |`);
  expect(read(path)).toContain(symbol);
});
