import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundleModule } from './bundle-module.ts';
import { createProject } from './create-project.ts';

it('brings nothing of the SDK into a package but what is used', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bundle-'));
  try {
    const file = join(folder, 'main.ts');
    await createProject('ada/tool', 'tool', folder);
    writeFileSync(
      file,
      "import { textOfChain } from '@parley/sdk/plugin';\nexport default { text: textOfChain([]) };\n",
    );
    const { code, sources } = await bundleModule(file, folder, 'node');
    expect(code.length).toBeLessThan(2000);
    expect(sources.length).toBeGreaterThan(1);
    expect(sources.filter((path) => path.includes('typebox'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
