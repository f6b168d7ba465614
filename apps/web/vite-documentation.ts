import mdx from '@mdx-js/rollup';
import remarkGfm from 'remark-gfm';
import type { Plugin } from 'vite';

export const documentationPages = (): Plugin => ({ ...mdx({ remarkPlugins: [remarkGfm] }), enforce: 'pre' }) as Plugin;
