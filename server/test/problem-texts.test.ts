import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fieldRules } from '@parley/sdk';
import ts from 'typescript';
import { expect, it } from 'vitest';

/*
 * The console shows what the server refuses in the user's language: by the code of a problem, by the rule of a field,
 * or else by the reason alone. Here are the errors whose particular sentence is only in English.
 */

/**
 * Folders without codes: extensions quote the platform or the provider, and store what is wrong with a document in its
 * record; no request of the console gets the errors of the others.
 */
const elsewhere =
  /^(?:administration\.ts$|cli\/|engines\/|kit\/|lib\/|mcp\/|parser-host\/|parsers\/|platforms\/|plugin-toolkit\/|providers\/|runners\/|schema-host\/|stages\/|core\/(?:commands|idempotency|model-api|plugins\/contributions|plugins\/host|plugins\/listeners)\/|plugin-host\/(?:channel|host|process)\/|http\/routes\/(?:inbound-webhooks|model-api|plugins|survey)\/)/;

/** Reasons whose general text leaves out what the sentence says. */
const general = new Set(['conflict', 'forbidden', 'invalid_request', 'limit_reached', 'not_found', 'too_large']);

/** How many errors of a file have no code, and why. */
const withoutCode: Record<string, number> = {
  // Of the command line.
  'plugin-host/package/read-package-file.ts': 1,
  'core/accounts/account-administration.ts': 1,
  'core/accounts/account-directory.ts': 1,
  // Of a plugin's process, for its author.
  'plugin-host/plugin-connection.ts': 2,
  'storage/messages/kysely-plugin-effects.ts': 1,
  'core/bots/adapter-states.ts': 1,
  'core/conversations/runner-memory.ts': 1,
  'core/feedback/feedback-service.ts': 2,
  'core/messages/message-intake.ts': 1,
  'core/messages/platform-notices.ts': 1,
  'core/tools/message-tools.ts': 1,
  // The request names what the console offers only while it is there.
  'core/bots/bot-configs.ts': 1,
  'core/knowledge/engine-catalog.ts': 2,
  'core/models/provider-service.ts': 1,
  // Replaced by what the caller says, or kept with a document, a question or a message.
  'core/files/media-reader.ts': 2,
  'core/knowledge/document-ingestion.ts': 1,
  'core/knowledge/evaluation-service.ts': 1,
  'core/knowledge/question-answerer.ts': 1,
  'storage/knowledge/postgres/chunk-rows.ts': 1,
  'storage/knowledge/postgres/postgres-chunk-store.ts': 1,
  'storage/knowledge/postgres/vectors.ts': 1,
  'storage/knowledge/sqlite/chunk-database.ts': 1,
  'storage/knowledge/sqlite/edition-writer.ts': 1,
  'storage/knowledge/sqlite/search-by-vector.ts': 1,
  'storage/knowledge/sqlite/sqlite-chunk-store.ts': 1,
  // Requests that the console does not send.
  'http/client-error.ts': 3,
  'http/error-mapping.ts': 4,
  'http/http-server.ts': 1,
  'http/idempotency.ts': 1,
  'http/open-bodies.ts': 1,
  'http/routes/console/routes.ts': 1,
  'http/routes/files/uploads.ts': 1,
  'http/routes/knowledge/engine-routes.ts': 1,
  'http/routes/system/routes.ts': 1,
  'http/routes/web-chat/routes.ts': 3,
  'http/validation.ts': 1,
  'storage/knowledge/filters.ts': 1,
};

/** Faults of fields without a rule. */
const withoutRule: Record<string, number> = {
  // Records that use another one, and an entry of parley.yaml: they are shown as they are.
  'core/knowledge/document-service.ts': 2,
  'core/knowledge/knowledge-base-service.ts': 1,
  'core/mcp/command-rules.ts': 1,
  'core/models/model-service.ts': 1,
  'core/models/provider-service.ts': 1,
  'core/pipelines/pipeline-changer.ts': 1,
  // Entries of packages, which only the command line reads.
  'core/plugins/package/inspect-package.ts': 2,
  'core/plugins/package/plugin-fault.ts': 2,
  'core/plugins/package/read-manifest.ts': 2,
  // The reason that the handler of a page gave.
  'core/plugins/pages/page-requests.ts': 1,
  'core/forms/check-config.ts': 1,
  // What uses a plugin.
  'core/plugins/plugin-service.ts': 1,
  // Arguments of a tool that are no JSON.
  'core/tools/message-tools.ts': 1,
  // Fields and values that the console does not send.
  'core/bots/bot-service.ts': 1,
  'core/files/inline-media.ts': 1,
  'core/knowledge/base-settings.ts': 1,
  'core/knowledge/embedding-values.ts': 1,
  'core/knowledge/evaluation-service.ts': 1,
  'core/knowledge/golden-question-service.ts': 1,
  'core/knowledge/retrieval-filters.ts': 4,
  'core/messages/unsupported-elements.ts': 1,
  'core/monitoring/monitoring-service.ts': 2,
  'core/pipelines/pipeline-schema.ts': 1,
  'core/system/wizard.ts': 1,
  'http/cursor.ts': 1,
  'http/idempotency.ts': 1,
  'http/json-bodies.ts': 1,
  'http/query-timestamp.ts': 1,
  'http/record-lists.ts': 1,
  'http/record-tags.ts': 1,
  'http/routes/files/uploads.ts': 1,
  'http/routes/knowledge/document-routes.ts': 2,
  'http/routes/knowledge/passage-routes.ts': 1,
  'http/routes/web-chat/routes.ts': 1,
  'storage/knowledge/filters.ts': 3,
};

const sources = fileURLToPath(new URL('../src/', import.meta.url));
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(file));

/** What a source has of errors: reasons of those without a code, rules of fields, and faults that have none. */
interface Found {
  reasons: string[];
  rules: string[];
  faultsWithoutRule: number;
}

function errorsIn(source: string): Found {
  const found: Found = { reasons: [], rules: [], faultsWithoutRule: 0 };
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'ParleyError') {
      const [reason] = node.arguments ?? [];
      if (reason !== undefined && ts.isStringLiteral(reason)) found.reasons.push(reason.text);
    }
    if (ts.isObjectLiteralExpression(node)) {
      const named = new Map(
        node.properties.flatMap((one) => (one.name === undefined ? [] : [[one.name.getText(), one] as const])),
      );
      const rule = named.get('rule');
      // What is spread into it may have the rule.
      const isWhole = !node.properties.some(ts.isSpreadAssignment);
      const isFault = isWhole && named.has('message') && (named.has('path') || named.has('field'));
      if (isFault && rule === undefined) found.faultsWithoutRule += 1;
      if (named.has('message') && rule !== undefined && ts.isPropertyAssignment(rule)) {
        found.rules.push(...literalsIn(rule.initializer));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true));
  return found;
}

function literalsIn(node: ts.Expression): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)];
  return [];
}

const found = files.map((file) => [file, errorsIn(readFileSync(`${sources}${file}`, 'utf8'))] as const);
const counted = (count: (errors: Found) => number) =>
  Object.fromEntries(
    found
      .filter(([file]) => !elsewhere.test(file))
      .map(([file, errors]) => [file, count(errors)] as const)
      .filter(([, errors]) => errors > 0),
  );

it('problems have a code, by which the console translates them', () => {
  expect(counted(({ reasons }) => reasons.filter((reason) => general.has(reason)).length)).toEqual(withoutCode);
});

it('faults of fields have a rule, by which the console translates them', () => {
  expect(counted(({ faultsWithoutRule }) => faultsWithoutRule)).toEqual(withoutRule);
});

it('rules have texts', () => {
  const rules = found.flatMap(([file, errors]) => errors.rules.map((rule) => `${rule} in ${file}`));
  expect(rules.length).toBeGreaterThan(40);
  expect(rules.filter((one) => !Object.hasOwn(fieldRules, one.split(' ')[0] as string))).toEqual([]);
});

it('others would be found', () => {
  expect(
    errorsIn(`
      throw new ParleyError('not_found', 'Gone');
      throw invalidFields([{ path, message: 'is bad' }, { path, message, rule: isLong ? 'maxLength' : 'invented' }]);
    `),
  ).toEqual({ reasons: ['not_found'], rules: ['maxLength', 'invented'], faultsWithoutRule: 1 });
});
