import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildClientTypes, buildOpenApiDocument } from './openapi-document.ts';

const repository = join(import.meta.dirname, '..');
const committed = readFileSync(join(repository, 'docs', 'openapi.json'), 'utf8');

describe('docs/openapi.json', () => {
  let built: string;

  beforeAll(async () => {
    built = await buildOpenApiDocument();
  });

  it('is what the routes say; `npm run openapi` writes it', () => {
    expect(committed).toBe(built);
  });

  it('is valid OpenAPI 3.1 and describes version 4.9.5', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(committed));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
    expect(JSON.parse(committed).info.version).toBe('4.9.5');
  });

  it('is what the types of the client are made from', async () => {
    const types = readFileSync(join(repository, 'client', 'src', 'schema.d.ts'), 'utf8');
    expect(types).toBe(await buildClientTypes(committed));
  });
});
