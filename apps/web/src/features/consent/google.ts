/**
 * The IDs that the settings name. `pages`: the paths of the pages that Google's scripts may see. An asterisk stands for the
 * rest of a path.
 */
type Ids = { analytics?: string | undefined; tagManager?: string | undefined; pages?: string | undefined };

const origin = 'https://www.googletagmanager.com';
let isStarted = false;

function load(path: string, id: string): void {
  const script = document.createElement('script');
  script.async = true;
  script.src = `${origin}/${path}?id=${encodeURIComponent(id)}`;
  document.head.append(script);
}

/** Whether Google's scripts are in this document. */
export const hasAnalytics = (): boolean => isStarted;

/** Loads other pages as new documents, without Google's scripts: their URLs may carry secrets. */
function leaveOtherPages(isListed: (pathname: string) => boolean): void {
  for (const name of ['pushState', 'replaceState'] as const) {
    const change = window.history[name].bind(window.history);
    window.history[name] = (state, unused, url) => {
      const target = new URL(url ?? '', window.location.href);
      if (isListed(target.pathname)) change(state, unused, url);
      else window.location.assign(target);
    };
  }
  // Back and Forward may lead to a page that this document showed before Google's scripts were loaded.
  const reload = (event: Event) => {
    if (isListed(window.location.pathname)) return;
    event.stopImmediatePropagation();
    window.location.reload();
  };
  window.addEventListener('popstate', reload, { capture: true });
}

/** Loads Google Analytics and Tag Manager if the page is one of `pages`. The content policy blocks inline tags. */
export function startAnalytics({ analytics, tagManager, pages = '' }: Ids): void {
  const isListed = (pathname: string) =>
    pages
      .split(' ')
      .some((page) =>
        page.endsWith('*') ? pathname.startsWith(page.slice(0, -1)) : page === pathname.replace(/(?<=.)\/$/, ''),
      );
  if (isStarted || !isListed(window.location.pathname)) return;
  isStarted = true;
  leaveOtherPages(isListed);
  const layer: unknown[] = [];
  Object.assign(window, { dataLayer: layer });
  if (analytics) {
    // Google's script reads the `arguments` object, not an array.
    const tag = function () {
      // biome-ignore lint/complexity/noArguments: as above.
      layer.push(arguments);
    } as (...values: unknown[]) => void;
    tag('js', new Date());
    tag('config', analytics);
    load('gtag/js', analytics);
  }
  if (tagManager) {
    layer.push({ 'gtm.start': Date.now(), event: 'gtm.js' });
    load('gtm.js', tagManager);
  }
}

/** Deletes Google's cookies and reloads the page, because scripts can't be unloaded. */
export function stopAnalytics(): void {
  for (const cookie of document.cookie.split(';')) {
    const name = cookie.split('=')[0]?.trim() ?? '';
    if (!/^_g(a|id|at|cl)/.test(name)) continue;
    for (const domain of ['', ...parentDomains()]) {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API isn't available in all browsers.
      document.cookie = `${name}=; path=/; max-age=0${domain && `; domain=${domain}`}`;
    }
  }
  window.location.reload();
}

/** The host and its parents, where Google's scripts may have set cookies. */
function parentDomains(): string[] {
  const parts = window.location.hostname.split('.');
  return parts.map((_, index) => parts.slice(index).join('.'));
}
