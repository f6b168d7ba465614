import type { Plugin } from 'vite';

/** The font of nearly all pages: upright, Latin. */
const face = /inter-latin-wght-normal.*\.woff2$/;

/** Preloads the font, so that the first text is painted in it and does not shift. */
export function preloadFont(): Plugin {
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
