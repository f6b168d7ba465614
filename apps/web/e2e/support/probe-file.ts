import type { APIResponse, BrowserContext, Page } from '@playwright/test';

const safeTypes =
  /^(image\/(png|jpeg|gif|webp|avif)|application\/(zip|pdf|json)|text\/(csv|plain|markdown))(; charset=utf-8)?$/;
const safeName = /^[^\p{Cc}\p{Bidi_Control}/\\]+\.(png|jpe?g|gif|webp|avif|zip|pdf|json|csv|txt|md)$/u;

/** Returns the names in a Content-Disposition header (RFC 6266). */
const namesIn = (header: string): string[] =>
  [...header.matchAll(/filename(\*?)=(?:UTF-8'')?("(?:[^"\\]|\\.)*"|[^;]+)/g)].map(([, star, name = '']) =>
    star ? decodeURIComponent(name) : name.replaceAll(/^"|"$|\\(?=.)/g, ''),
  );

/** Returns the security problems in the response headers of an untrusted file. */
export function findHeaderProblems(response: APIResponse): string[] {
  const { 'content-disposition': disposition = '', ...headers } = response.headers();
  const isAttachment = disposition.startsWith('attachment');
  const isSandboxed = /(^|;)\s*sandbox\s*($|;)/.test(headers['content-security-policy'] ?? '');
  const rules = {
    [`status ${response.status()}`]: response.ok(),
    'no nosniff': headers['x-content-type-options'] === 'nosniff',
    [`type ${headers['content-type']}`]: safeTypes.test(headers['content-type'] ?? ''),
    'neither sandboxed nor an attachment': isAttachment || isSandboxed,
    'may be framed': headers['x-frame-options'] === 'DENY',
    [`name in ${disposition}`]: namesIn(disposition).every((name) => safeName.test(name)),
  };
  return Object.entries(rules).flatMap(([problem, holds]) => (holds ? [] : [problem]));
}

/** Embeds a file in a page of the site's origin in each way that could run it. Returns the ways that worked. */
const embed = (page: Page, url: string): Promise<string[]> =>
  page.evaluate(async (src) => {
    const element = (tag: string, values: Record<string, string>) =>
      new Promise<boolean>((resolve) => {
        const node = Object.assign(document.createElement(tag), values);
        node.onload = () => resolve(true);
        node.onerror = () => resolve(false);
        document.head.append(node);
      });
    const worker = (type: WorkerType) =>
      new Promise<boolean>((resolve) => {
        const started = new Worker(src, { type });
        started.onerror = () => resolve(false);
        started.onmessage = () => resolve(true);
      });
    const works = (promise: Promise<unknown>) =>
      promise.then(
        () => true,
        () => false,
      );
    const frames = ['iframe', 'object', 'embed'].map((tag) => {
      const frame = document.createElement(tag);
      frame.setAttribute(tag === 'object' ? 'data' : 'src', src);
      document.body.append(frame);
      return frame;
    });
    const ways = {
      script: element('script', { src }),
      module: element('script', { src, type: 'module' }),
      stylesheet: element('link', { href: src, rel: 'stylesheet' }),
      import: works(import(src)),
      worker: worker('classic'),
      'module worker': worker('module'),
      'service worker': works(navigator.serviceWorker.register(src)),
    };
    const results = await Promise.all(Object.entries(ways).map(async ([way, ran]) => ((await ran) ? [way] : [])));
    for (const frame of frames) frame.remove();
    return [...results.flat(), ...('__xss' in window ? ['it ran in our page'] : [])];
  }, url);

const hasRun = (page: Page) => page.evaluate(() => '__xss' in window);

/** Opens a file as a page and returns the problems. A download has none. */
export async function openFile(page: Page, url: string): Promise<string[]> {
  await page.goto('about:blank');
  const response = await page.goto(url, { waitUntil: 'load' }).catch((error: Error) => {
    if (!/Download is starting|ERR_ABORTED/.test(error.message)) throw error;
    return undefined;
  });
  if (!response) return [];
  const type = await page.evaluate(() => document.contentType);
  return [
    ...((await hasRun(page)) ? ['it ran as a page'] : []),
    ...(type.startsWith('image/') ? [] : [`a page of ${type}`]),
  ];
}

/**
 * Fetches, opens, and embeds a file. Returns every way in which it could run. `own`: a page from the site's origin in
 * which to embed the file. `opened`: the page in which to open it.
 */
export async function probeFile(context: BrowserContext, pages: { own: Page; opened: Page }, url: string) {
  const headers = findHeaderProblems(await context.request.get(url));
  const [opened, embedded] = await Promise.all([openFile(pages.opened, url), embed(pages.own, url)]);
  return [...headers, ...opened, ...embedded];
}
