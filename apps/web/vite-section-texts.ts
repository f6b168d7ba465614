import path from 'node:path';
import type { Plugin, PluginOption } from 'vite';
import type { renderSections } from './src/features/documentation/render-sections.tsx';
import { runModule } from './vite-run-module.ts';

type Module = { renderSections: typeof renderSections };

const name = 'virtual:section-texts';

/** Replaces code examples with empty ones, because code isn't searched. */
const withoutCode: Plugin = {
  name: 'without-code',
  enforce: 'pre',
  load: (id) => (id.endsWith('?code') ? { code: 'export const lines = [];', moduleType: 'js' } : undefined),
};

/**
 * Provides the text of the documentation for the documentation search. Renders it at build time. `pages`: the plugin
 * that compiles the MDX files.
 */
export function sectionTexts(pages: PluginOption): Plugin {
  let root = '';
  return {
    name: 'section-texts',
    configResolved: (config) => {
      root = config.root;
    },
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: async (id) => {
      if (id !== `\0${name}`) return;
      const file = path.join(root, 'src/features/documentation/render-sections.tsx');
      const plugins = [withoutCode, pages];
      const module = await runModule<Module>(file, { root, plugins });
      return { code: `export const sectionTexts = ${JSON.stringify(module.renderSections())};`, moduleType: 'js' };
    },
  };
}
