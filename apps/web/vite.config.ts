import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { documentationPages } from './vite-documentation.ts';
import { highlight } from './vite-highlight.ts';
import { prerender } from './vite-prerender.ts';
import { sectionTexts } from './vite-section-texts.ts';

/** For the models' WebAssembly, the highest quality would take a minute and save only a fifth of the size. */
const qualityOf = (name: string) => (name.endsWith('.wasm') ? 6 : constants.BROTLI_MAX_QUALITY);
const [compress, zip] = [promisify(brotliCompress), promisify<Buffer, Buffer>(gzip)];
const encoders = {
  br: (content: Buffer, name: string) =>
    compress(content, { params: { [constants.BROTLI_PARAM_QUALITY]: qualityOf(name) } }),
  gz: (content: Buffer) => zip(content),
};
const text = /\.(html|m?js|css|svg|wasm)$/;

/**
 * Writes `.br` and `.gz` files next to each compressible file of the build, so that servers don't compress at run time.
 */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle: async ({ dir = '' }) => {
      const names = (await readdir(dir, { recursive: true })).filter((name) => text.test(name));
      await Promise.all(
        names.map(async (name) => {
          const path = join(dir, name);
          const content = await readFile(path);
          for (const [ending, encode] of Object.entries(encoders))
            await writeFile(`${path}.${ending}`, await encode(content, name));
        }),
      );
    },
  };
}

/** The font that nearly all pages use: upright, Latin. */
const face = /inter-latin-wght-normal.*\.woff2$/;

/** Preloads the font, so that the first text is painted in it and does not shift. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const file = Object.keys(bundle).find((name) => face.test(name));
        if (!file) throw new Error('The build has no font to preload.');
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

/** The gateway in development. `npm run dev` sets its port. */
const gateway = { target: `http://localhost:${process.env.PORT ?? 3000}`, changeOrigin: false };

/** Modules that the first load always needs. They compress better in one chunk than in chunks of their own. */
const firstLoad = [
  /node_modules\/(?:react|react-dom|scheduler|react-router|clsx|zustand)\//,
  /\/web\/src\/(?:site-map|messages)\.ts$/,
  /\/contracts\/src\/texts\/(?:site\/pages|format)\.ts$/,
];

export default defineConfig({
  plugins: [
    highlight(),
    documentationPages(),
    sectionTexts(documentationPages()),
    react({ include: /\.(mdx|[jt]sx?)$/ }),
    tailwindcss(),
    preloadFont(),
    prerender(),
    precompress(),
  ],
  // Workspace packages are resolved to their sources and need no build. ONNX Runtime loads its own script and
  // WebAssembly by URL, because its threads run the script again.
  resolve: { conditions: ['@uprez/source', 'onnxruntime-web-use-extern-wasm', ...defaultClientConditions] },
  // The gateway recognizes worker scripts by the prefix of their file names.
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/[name]-[hash].js' } } },
  // The largest chunk is the API reference, which only its page loads. Source maps would be public, so there are none.
  build: {
    ...{ target: 'es2023', sourcemap: false, assetsInlineLimit: 0, chunkSizeWarningLimit: 1_700 },
    // Browsers that support ES2023 preload modules without a polyfill. Older browsers load the modules later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The gateway adds the consent script to pages if a Google Analytics or Tag Manager ID is set. Its file name has
      // no hash, so that the gateway can reference it.
      input: { main: 'index.html', consent: 'src/features/consent/main.ts' },
      output: {
        entryFileNames: ({ name }) => (name === 'consent' ? 'consent.js' : 'assets/[name]-[hash].js'),
        // Short names, because the first load lists the names of all chunks.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [{ name: 'base', test: (id) => firstLoad.some((pattern) => pattern.test(id)) }],
        },
      },
    },
  },
  server: { proxy: { '/api': gateway, '/media': gateway, '/v1': gateway, '/llms.txt': gateway } },
});
