import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../escape-html.ts';

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:480px;padding:16px}
h1{font-size:20px}
label{display:block}
input{box-sizing:border-box;font:inherit;padding:8px;width:100%}
button{font:inherit;padding:8px 16px}
.note{border:1px solid #8886;padding:8px 12px}
[role=alert]{color:#c22}`;

export const testModeNote = 'Local test mode: no real money';

interface Page {
  title: string;
  body: string;
  /** CSS rules that are added to those of all pages. */
  css?: string;
  script?: string;
}

/** Returns a page of the double with a note that no real money moves. */
export const htmlPage = ({ title, body, css = '', script }: Page) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}${css}</style></head><body><p class="note">${testModeNote}</p>${body}${script ? `<script type="module" src="${script}"></script>` : ''}</body></html>`;

interface PageOptions {
  /** Whether pages from other origins can show this page in a frame. */
  isFrame?: boolean;
}

/** Sends a page. Only pages in frames can run scripts, and they can load scripts only from the double. */
export const sendPage = (reply: FastifyReply, html: string, { isFrame = false }: PageOptions = {}) =>
  reply
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': isFrame ? framePolicy : pagePolicy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(html);

const basePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'";
const pagePolicy = `${basePolicy}; frame-ancestors 'none'`;
/**
 * Allows the payment element's frame to call the API on its own origin and at api.stripe.com. Browser tests intercept
 * the requests to api.stripe.com.
 */
const framePolicy = `${basePolicy}; script-src 'self'; connect-src 'self' https://api.stripe.com`;

/** Safe to send without escaping. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | undefined | readonly Value[];

/** Escapes all values except `Html` values. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.map((part, index) => part + (index < values.length ? render(values[index]) : '')).join(''));

function render(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(render).join('') : escapeHtml(String(value));
}

const css = `
body{max-width:960px;overflow-wrap:anywhere}
h2{font-size:17px;margin:28px 0 8px}
table{border-collapse:collapse;min-width:560px;width:100%}
th{white-space:nowrap}
th,td{border-bottom:1px solid #8885;padding:8px 8px 8px 0;text-align:left;vertical-align:top;overflow-wrap:break-word}
.scroll{overflow-x:auto}
form.row{align-items:end;display:flex;flex-wrap:wrap;gap:8px;margin:8px 0}
select,input{font:inherit;padding:6px;width:auto}
input[type=number]{width:7em}
button{padding:6px 12px}
.muted{opacity:.75}
a{color:LinkText}`;

export const layout = (title: string, body: Html): string =>
  htmlPage({ title: `${title}: Stripe double`, css, body: body.text });
