import type { CaughtMail } from './mailbox.ts';

/** The mail's own page may open links in new tabs, and nothing else: no scripts, no forms, no place in our origin. */
export const sandbox = 'allow-popups allow-popups-to-escape-sandbox';

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:1200px;padding:16px}
h1{font-size:20px;font-weight:650;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}
th,td{border-bottom:1px solid #8886;padding:6px 12px 6px 0;text-align:left;vertical-align:top}
time{white-space:nowrap}
@media(max-width:720px){tr,td{display:block}th{display:none}td{border:0;overflow-wrap:anywhere;padding:0}tr{border-bottom:1px solid #8886;padding:8px 0}}
a{color:inherit}
.both{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(320px,1fr))}
iframe{background:#fff;border:1px solid #8886;height:720px;width:100%}
pre{border:1px solid #8886;font:14px/1.5 ui-monospace,monospace;margin:0;overflow-wrap:anywhere;padding:12px;white-space:pre-wrap}`;

/** The list of what came, newest first. */
export function listHtml(mails: readonly CaughtMail[], to: string): string {
  const rows = mails.map(
    ({ id, date, to: recipients, subject }) =>
      `<tr><td>${timeHtml(date)}</td><td>${quote(recipients.join(', '))}</td><td><a href="/mails/${id}">${quote(subject || '(no subject)')}</a></td></tr>`,
  );
  const title = to ? `Mails to ${to}` : 'Mails';
  const table = `<table><tr><th>came</th><th>to</th><th>subject</th></tr>${rows.join('')}</table>`;
  const none = '<p>No mail has come yet. Everything the product sends appears here, and goes nowhere else.</p>';
  return page(title, mails.length > 0 ? table : none);
}

/** One mail: as a mail program shows it, and its plain text. */
export function mailHtml({ id, from, to, subject, date, text }: CaughtMail): string {
  const facts = `<p>From ${quote(from)} to ${quote(to.join(', '))}, ${timeHtml(date)}. <a href="/">All mails</a></p>`;
  const frame = `<iframe sandbox="${sandbox}" src="/mails/${id}/html" title="The mail"></iframe>`;
  return page(subject || '(no subject)', `${facts}<div class="both">${frame}<pre>${withLinks(text)}</pre></div>`);
}

/** As clocks show it where this runs, which is where it is read. */
const shown = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const timeHtml = (date: string) => `<time datetime="${date}">${shown.format(new Date(date))}</time>`;

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${quote(title)}</title><style>${style}</style></head><body><h1>${quote(title)}</h1>${body}</body></html>`;

/** Escaped text whose web addresses can be followed. */
const withLinks = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) =>
      index % 2 ? `<a href="${quote(part)}" rel="noopener noreferrer" target="_blank">${quote(part)}</a>` : quote(part),
    )
    .join('');

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const quote = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign);
