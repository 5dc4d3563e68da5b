import { Secret } from '@parley/sdk';
import fc from 'fast-check';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { builtInSchema, completeConfig } from '../../../test/factories/pipeline-schema.ts';
import { extractSecrets, restoreSecrets } from './secret-fields.ts';

const schema = Type.Object({
  token: Secret(),
  placeholder: Secret({ default: 'your-api-key' }),
  name: Type.String(),
  inner: Type.Object({ key: Secret(), deeper: Type.Object({ password: Secret(), port: Type.Integer() }) }),
});

const secret = fc.string({ minLength: 12, maxLength: 60 }).filter((text) => !text.includes('…'));

it('takes every secret out and puts it back where it was', () => {
  fc.assert(
    fc.property(secret, secret, secret, (token, key, password) => {
      const value = { token, placeholder: '', name: 'name', inner: { key, deeper: { password, port: 1 } } };
      const before = structuredClone(value);
      const [masked, secrets] = extractSecrets(schema, value);
      expect(value).toEqual(before);
      expect(secrets).toEqual({ token, 'inner.key': key, 'inner.deeper.password': password });
      expect([masked.token, masked.inner.key, masked.inner.deeper.password].every((text) => text.includes('…'))).toBe(
        true,
      );
      expect(masked.name).toBe('name');
      expect(restoreSecrets(schema, masked, secrets)).toEqual(before);
    }),
  );
});

it('leaves no secret of a pipeline in clear', () => {
  const fields: [string, string][] = [
    ['dify-service-api', 'api-key'],
    ['n8n-service-api', 'basic-password'],
    ['n8n-service-api', 'jwt-secret'],
    ['n8n-service-api', 'header-value'],
    ['coze-api', 'api-key'],
    ['tbox-app-api', 'api-key'],
    ['dashscope-app-api', 'api-key'],
    ['langflow-api', 'api-key'],
    ['openai-responses', 'api-key'],
  ];
  const ai: Record<string, Record<string, string>> = {};
  for (const [index, [group, field]] of fields.entries()) {
    ai[group] = { ...ai[group], [field]: `the secret number ${index} of them` };
  }
  const config = completeConfig({ ai });
  const [masked, secrets] = extractSecrets(builtInSchema.schema, config);
  expect(Object.keys(secrets)).toEqual(fields.map(([group, field]) => `ai.${group}.${field}`));
  expect(JSON.stringify(masked)).not.toContain('secret number');
  expect(restoreSecrets(builtInSchema.schema, masked, secrets)).toEqual(config);
});

it('takes empty texts and placeholders for no secrets', () => {
  const value = {
    token: '',
    placeholder: 'your-api-key',
    name: '',
    inner: { key: '', deeper: { password: '', port: 1 } },
  };
  expect(extractSecrets(schema, value)).toEqual([value, {}]);
});

it('refuses a masked secret with its path', () => {
  const value = {
    token: 'a',
    placeholder: '',
    name: '',
    inner: { key: 'sk-…wxyz', deeper: { password: '', port: 1 } },
  };
  expect(() => extractSecrets(schema, value)).toThrow(
    expect.objectContaining({
      reason: 'secret_required',
      details: [{ path: 'inner.key', message: 'is masked', rule: 'secret' }],
    }),
  );
});

it('leaves out fields that a stored configuration lacks', () => {
  expect(restoreSecrets(schema, { name: 'only' } as never, { token: 'a', 'inner.key': 'b' })).toEqual({
    name: 'only',
    token: 'a',
  });
});
