import { defineConfig } from 'vite';

/** Bundles the action with all its dependencies, because runners install nothing. */
export default defineConfig({
  publicDir: false,
  resolve: { conditions: ['@uprez/source', 'node', 'import', 'module', 'default'] },
  ssr: { noExternal: true, resolve: { conditions: ['@uprez/source', 'node', 'import', 'module', 'default'] } },
  build: {
    ssr: 'src/main.ts',
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'index.mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' } },
  },
});
