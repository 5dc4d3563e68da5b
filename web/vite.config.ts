import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** During development the page comes from Vite and everything else from a server started beside it. */
const server = 'http://127.0.0.1:5300';

export default defineConfig(({ command }) => {
  // What a test or a shell says about its own environment must not put React's development build into the console.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    // The service may live below a base path it only knows at run time: assets are relative to the document's <base>.
    base: './',
    plugins: [react(), tailwindcss(), compressed()],
    build: {
      // Kilobytes before they are compressed; a test holds what everybody loads to a limit.
      chunkSizeWarningLimit: 700,
      rolldownOptions: {
        output: {
          codeSplitting: {
            // What everybody loads first comes in one piece, which compresses better than a hundred small ones.
            groups: [
              {
                name: 'first',
                test: /src\/(main|components\/shell\/console-shell|pages\/dashboard\/dashboard-page)\.tsx$/,
              },
            ],
          },
        },
      },
    },
    server: {
      proxy: { '/api': { target: server, ws: true }, '/plugin-pages': { target: server } },
    },
  };
});

/** Puts a compressed twin beside each file that gains by it, so that the server need not compress anything. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      const assets = join(dir, 'assets');
      for (const name of readdirSync(assets).filter((file) => /\.(js|css)$/.test(file))) {
        const path = join(assets, name);
        const content = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
        const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params: quality }));
      }
    },
  };
}
