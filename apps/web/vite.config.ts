import mdx from '@mdx-js/rollup';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import remarkGfm from 'remark-gfm';
import { defaultClientConditions, defineConfig } from 'vite';
import { highlight } from './vite-highlight.ts';
import { precompress } from './vite-precompress.ts';
import { preloadFont } from './vite-preload-font.ts';

/** `npm run dev` sets where the gateway listens. */
const gateway = { target: `http://localhost:${process.env.PORT ?? 3000}`, changeOrigin: false };

/** Must run before the React plugin. */
const documentationPages = { enforce: 'pre' as const, ...mdx({ remarkPlugins: [remarkGfm] }) };

export default defineConfig({
  plugins: [
    highlight(),
    documentationPages,
    react({ include: /\.(mdx|[jt]sx?)$/ }),
    tailwindcss(),
    preloadFont(),
    precompress(),
  ],
  // Our packages are resolved to their sources and need no build.
  resolve: { conditions: ['@uprez/source', ...defaultClientConditions] },
  // The largest chunk is the API reference, which only its page loads.
  build: { target: 'es2023', sourcemap: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 1_700 },
  server: { proxy: { '/api': gateway, '/v1': gateway, '/llms.txt': gateway } },
});
