import type { Plugin } from 'vite';

/** The face that nearly every page is set in: upright, Latin. */
const face = /inter-latin-wght-normal.*\.woff2$/;

/** Have the page ask for its font at once: the first text is painted in it, and nothing moves when it comes. */
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
