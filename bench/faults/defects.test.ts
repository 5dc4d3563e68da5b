import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defects } from './defects.ts';

const root = new URL('../../', import.meta.url);

describe('the defects that the harness has to find', () => {
  it.each(defects.map(({ name, replacements }) => [name, replacements] as const))('"%s" can be put in', (_, texts) => {
    for (const { file, from, to } of texts) {
      const source = readFileSync(new URL(file, root), 'utf8');
      expect(source.split(from), `${file}: ${from}`).toHaveLength(2);
      expect(to).not.toContain(from);
    }
  });
});
