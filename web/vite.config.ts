import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** During development the page comes from Vite and everything else from a server started beside it. */
const server = 'http://127.0.0.1:5300';

export default defineConfig({
  // The service may live below a base path it only knows at run time: assets are relative to the document's <base>.
  base: './',
  plugins: [react(), tailwindcss()],
  server: {
    proxy: { '/api': { target: server, ws: true } },
  },
});
