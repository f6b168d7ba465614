import mdx from '@mdx-js/rollup';
import remarkGfm from 'remark-gfm';
import type { Plugin } from 'vite';

/** Compiles the pages of the documentation. */
export const documentationPages = (): Plugin => ({ ...mdx({ remarkPlugins: [remarkGfm] }), enforce: 'pre' }) as Plugin;
