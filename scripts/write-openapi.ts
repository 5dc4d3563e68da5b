import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClientTypes, buildOpenApiDocument } from './openapi-document.ts';

const repository = join(import.meta.dirname, '..');
const document = await buildOpenApiDocument();
writeFileSync(join(repository, 'docs', 'openapi.json'), document);
writeFileSync(join(repository, 'client', 'src', 'schema.d.ts'), await buildClientTypes(document));
