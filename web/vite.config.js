import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** For `npm run dev:web`. */
const API = process.env.MILLRACE_URL ?? 'http://127.0.0.1:3000';
const COMPRESSORS = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** Leaves a `.br` and a `.gz` beside each text file, so that the server compresses nothing while it answers. */
function compressed() {
  let folder = '';
  return {
    name: 'compressed',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir);
    },
    async closeBundle() {
      const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(js|css|html|svg)$/.test(name));
      for (const file of names.map((name) => join(folder, name))) {
        const content = await readFile(file);
        for (const [ending, compress] of Object.entries(COMPRESSORS))
          await writeFile(`${file}.${ending}`, await compress(content));
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/api': API, '/sign-in': API, '/admin': API, '/docs': API } },
});
