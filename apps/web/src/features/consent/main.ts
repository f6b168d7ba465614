import { consentMessages as text } from './messages.ts';

/**
 * Google IDs from the settings. `pages`: paths where Google's scripts may run, separated by spaces. A trailing asterisk
 * matches any rest of a path.
 */
type Ids = { analytics?: string | undefined; tagManager?: string | undefined; pages?: string | undefined };

const origin = 'https://www.googletagmanager.com';
let isStarted = false;

function loadScript(path: string, id: string): void {
  const script = document.createElement('script');
  script.async = true;
  script.src = `${origin}/${path}?id=${encodeURIComponent(id)}`;
  document.head.append(script);
}

const hasAnalytics = (): boolean => isStarted;

/**
 * Loads pages outside `pages` as new documents, which don't contain Google's scripts. The URLs of such pages may
 * contain secrets.
 */
function reloadUnlistedPages(isListed: (pathname: string) => boolean): void {
  for (const name of ['pushState', 'replaceState'] as const) {
    const change = window.history[name].bind(window.history);
    window.history[name] = (state, unused, url) => {
      const target = new URL(url ?? '', window.location.href);
      if (isListed(target.pathname)) change(state, unused, url);
      else window.location.assign(target);
    };
  }
  // Also reloads on Back and Forward, which may lead to a page that this document showed before Google's scripts were
  // loaded.
  const reload = (event: Event) => {
    if (isListed(window.location.pathname)) return;
    event.stopImmediatePropagation();
    window.location.reload();
  };
  window.addEventListener('popstate', reload, { capture: true });
}

/** Loads only external scripts, because the Content Security Policy blocks inline ones. */
function startAnalytics({ analytics, tagManager, pages = '' }: Ids): void {
  const isListed = (pathname: string) =>
    pages
      .split(' ')
      .some((page) =>
        page.endsWith('*') ? pathname.startsWith(page.slice(0, -1)) : page === pathname.replace(/(?<=.)\/$/, ''),
      );
  if (isStarted || !isListed(window.location.pathname)) return;
  isStarted = true;
  reloadUnlistedPages(isListed);
  const layer: unknown[] = [];
  Object.assign(window, { dataLayer: layer });
  if (analytics) {
    const tag = function () {
      // biome-ignore lint/complexity/noArguments: Google's script reads the `arguments` object, not an array.
      layer.push(arguments);
    } as (...values: unknown[]) => void;
    tag('js', new Date());
    tag('config', analytics);
    loadScript('gtag/js', analytics);
  }
  if (tagManager) {
    layer.push({ 'gtm.start': Date.now(), event: 'gtm.js' });
    loadScript('gtm.js', tagManager);
  }
}

/** Deletes Google's cookies and reloads the page, because scripts can't be unloaded. */
function stopAnalytics(): void {
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

/** Returns the host and its parent domains. Google's scripts may have set cookies on any of them. */
function parentDomains(): string[] {
  const parts = window.location.hostname.split('.');
  return parts.map((_, index) => parts.slice(index).join('.'));
}

const key = 'uprez.consent';
type Choice = 'accepted' | 'declined';

/** Undefined if the visitor hasn't chosen yet, or if storage is unavailable. */
function readChoice(): Choice | undefined {
  try {
    const stored = localStorage.getItem(key);
    return stored === 'accepted' || stored === 'declined' ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Without storage, the visitor is asked again on the next page. */
function storeConsent(isAccepted: boolean): void {
  try {
    localStorage.setItem(key, isAccepted ? 'accepted' : 'declined');
  } catch {}
}

/** Google IDs from this script's tag. The gateway adds the tag to public pages if an ID is set. */
const ids = document.querySelector<HTMLScriptElement>('script[data-consent]')?.dataset ?? {};

const style = {
  banner:
    'position:fixed;inset:auto 0 0;z-index:50;flex-wrap:wrap;gap:.75rem 1rem;align-items:center;justify-content:center;padding:1rem;background:var(--surface);color:var(--ink);border-top:1px solid var(--line);font-size:.875rem',
  button:
    'min-height:2.75rem;min-width:7rem;padding:0 1rem;border:1px solid var(--edge);border-radius:.375rem;background:var(--surface);color:var(--ink);font-weight:500',
  link: 'color:inherit;text-decoration:underline var(--line);text-underline-offset:4px',
};

function makeButton(label: string, look: string, onPress: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.style.cssText = look;
  button.addEventListener('click', onPress);
  return button;
}

/** Neither button is emphasized. */
function showBanner(): void {
  document.querySelector('[data-consent-banner]')?.remove();
  const banner = document.createElement('section');
  banner.dataset.consentBanner = '';
  banner.setAttribute('aria-label', text.title);
  banner.style.cssText = style.banner;
  const question = document.createElement('p');
  question.textContent = text.question;
  question.style.maxWidth = '40rem';
  const answer = (isAccepted: boolean) => () => {
    const mayHaveCookies = hasAnalytics() || readChoice() === 'accepted';
    storeConsent(isAccepted);
    banner.remove();
    if (isAccepted) startAnalytics(ids);
    else if (mayHaveCookies) stopAnalytics();
  };
  banner.append(
    question,
    makeButton(text.decline, style.button, answer(false)),
    makeButton(text.accept, style.button, answer(true)),
  );
  document.body.append(banner);
}

const item = document.createElement('li');
item.append(makeButton(text.settings, style.link, showBanner));

/** Adds the settings link to the footer. Called again when the app rerenders the footer, which removes the link. */
function placeLink(): void {
  const list = document.querySelector('footer nav ul');
  if (list && item.parentElement !== list) list.append(item);
}

if (ids.analytics || ids.tagManager) {
  const isRefused = (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
  const choice = readChoice();
  if (!isRefused) {
    new MutationObserver(placeLink).observe(document.body, { childList: true, subtree: true });
    placeLink();
    if (choice === 'accepted') startAnalytics(ids);
    else if (choice === undefined) showBanner();
  }
}
