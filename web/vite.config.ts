import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** During development the page comes from Vite and everything else from a server started beside it. */
const server = 'http://127.0.0.1:5300';

export default defineConfig(({ command }) => {
  // What a test or a shell says about its own environment must not put React's development build into the console.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    // The service may live below a base path it only knows at run time: assets are relative to the document's <base>.
    base: './',
    plugins: [react(), tailwindcss()],
    server: {
      proxy: { '/api': { target: server, ws: true } },
    },
  };
});
