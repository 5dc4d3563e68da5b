import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defects } from './defects.ts';
import { replacements } from './newer-program.ts';

const root = new URL('../../', import.meta.url);

describe('the defects of several processes that have to be found', () => {
  it.each(defects.map((defect) => [defect.name, defect] as const))('"%s" can be put in', (_, defect) => {
    for (const { file, from, to } of defect.replacements) {
      const source = readFileSync(new URL(file, root), 'utf8');
      expect(source.split(from), `${file}: ${from}`).toHaveLength(2);
      expect(to).not.toContain(from);
    }
    expect(existsSync(new URL(defect.test, root)), defect.test).toBe(true);
  });
});

it('one more migration can be put in', () => {
  for (const { file, from } of replacements) {
    expect(readFileSync(new URL(file, root), 'utf8').split(from), `${file}: ${from}`).toHaveLength(2);
  }
});
