import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import type { prerenderLanding } from './src/prerender.tsx';
import type { prerenderDocumentation } from './src/prerender-documentation.tsx';
import { documentationPages } from './vite-documentation.ts';
import { highlight } from './vite-highlight.ts';
import { runModule } from './vite-run-module.ts';

type Landing = { prerenderLanding: typeof prerenderLanding };
type Documentation = { prerenderDocumentation: typeof prerenderDocumentation };

/** With source paths as image URLs. */
async function renderLanding(root: string): Promise<string> {
  const file = path.join(root, 'src/prerender.tsx');
  const module = await runModule<Landing>(file, { root, plugins: [highlight()] });
  return module.prerenderLanding();
}

/** Renders the documentation for browsers without JavaScript. */
export async function renderDocumentation(root: string): Promise<string> {
  const file = path.join(root, 'src/prerender-documentation.tsx');
  const module = await runModule<Documentation>(file, { root, plugins: [highlight(), documentationPages()] });
  return module.prerenderDocumentation();
}

function resolveAssets(markup: string, bundle: Rolldown.OutputBundle): string {
  const files = Object.values(bundle).flatMap((output) =>
    output.type === 'asset' ? output.originalFileNames.map((name) => [`/${name}`, `/${output.fileName}`] as const) : [],
  );
  const built = new Map<string, string>(files);
  return markup.replace(/\/src\/assets\/[^"]+/g, (source) => {
    const file = built.get(source);
    if (!file) throw new Error(`The build has no ${source}.`);
    return file;
  });
}

function readAsset(bundle: Rolldown.OutputBundle, name: string): string {
  const asset = bundle[name];
  if (asset?.type !== 'asset') throw new Error(`The build has no ${name}.`);
  return typeof asset.source === 'string' ? asset.source : Buffer.from(asset.source).toString();
}

const sheetLink = /\s*<link rel="stylesheet"[^>]*?href="\/([^"]+)"[^>]*>/;
const scriptsAndFont = /\s*<(?:script type="module"|link rel="(?:modulepreload|preload)")[^>]*>(?:<\/script>)?/g;

/**
 * Returns the page with a prerendered screen. Styles are inlined, and all other files are loaded after the screen, so
 * that nothing competes with it for bandwidth.
 */
function fillPage(markup: string, bundle: Rolldown.OutputBundle): string {
  const page = readAsset(bundle, 'index.html');
  const [link = '', name = ''] = sheetLink.exec(page) ?? [];
  const sheet = readAsset(bundle, name);
  // The link is kept, because chunks that need the style sheet look for it. As a print style sheet, it doesn't block
  // rendering.
  const printLink = link.replace('<link', '<link media="print"');
  const late = [...(page.match(scriptsAndFont) ?? []), printLink].join('');
  const screen = `<div data-prerendered>${markup}</div>`;
  return page
    .replace(scriptsAndFont, '')
    .replace(link, () => `<style>${sheet}</style>`)
    .replace('<div id="root"></div>', () => `<div id="root">${screen}</div>${late}`);
}

const addNoscript = (markup: string, bundle: Rolldown.OutputBundle): string =>
  readAsset(bundle, 'index.html').replace(
    '<div id="root"></div>',
    () => `<div id="root"><noscript>${markup}</noscript></div>`,
  );

/**
 * Writes `landing.html`, the page with the first screen of the landing page for visitors, and `documentation.html`, the
 * page with the complete documentation for browsers without JavaScript.
 */
export function prerender(): Plugin {
  let root = '';
  return {
    name: 'prerender',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
    },
    generateBundle: {
      order: 'post',
      handler: async function (_options, bundle) {
        const markup = resolveAssets(await renderLanding(root), bundle);
        this.emitFile({ type: 'asset', fileName: 'landing.html', source: fillPage(markup, bundle) });
        const documentation = resolveAssets(await renderDocumentation(root), bundle);
        this.emitFile({ type: 'asset', fileName: 'documentation.html', source: addNoscript(documentation, bundle) });
      },
    },
  };
}
