import type { Html } from './html.ts';
import { htmlPage } from './html-page.ts';

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

/** Returns a page for the people who use the double. */
export const layout = (title: string, body: Html): string =>
  htmlPage({ title: `${title}: Stripe double`, css, body: body.text });
