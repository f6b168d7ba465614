import { testModeNote } from '../pages/html-page.ts';

const style = `:root{color-scheme:light;font:var(--fontSizeBase,16px)/1.4 system-ui,sans-serif;background:transparent;color:var(--colorText,#30313d)}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0}
form{padding:4px}
.note{color:var(--colorTextSecondary,#6d6e78);margin:0 0 12px}
fieldset{border:0;display:flex;gap:12px;margin:0 0 12px;padding:0}
legend{padding:0}
fieldset label{align-items:center;border:1px solid var(--colorEdge,#8886);border-radius:var(--borderRadius,5px);display:flex;flex:1;gap:8px;padding:8px 12px}
.field{display:block;margin-bottom:12px}
.field input{background:var(--colorBackground,#fff);border:1px solid var(--colorEdge,#8886);border-radius:var(--borderRadius,5px);color:inherit;display:block;font:inherit;margin-top:4px;padding:10px 12px;width:100%}
input:focus-visible{outline:2px solid var(--colorPrimary,#0570de);outline-offset:1px}
input[aria-invalid=true]{border-color:var(--colorDanger,#df1b41)}
.error{color:var(--colorDanger,#df1b41);display:block;font-size:.9em}
.row{display:grid;gap:12px;grid-template-columns:1fr 1fr}`;

interface Field {
  name: string;
  label: string;
  placeholder: string;
  autocomplete: string;
}

const field = ({ name, label, placeholder, autocomplete }: Field) =>
  `<label class="field">${label}<input name="${name}" inputmode="numeric" placeholder="${placeholder}" autocomplete="${autocomplete}" aria-describedby="${name}-error"><span class="error" id="${name}-error" role="alert"></span></label>`;

const fields = {
  number: field({
    name: 'number',
    label: 'Card number',
    placeholder: '4242 4242 4242 4242',
    autocomplete: 'cc-number',
  }),
  expiry: field({ name: 'expiry', label: 'Expiration date', placeholder: 'MM / YY', autocomplete: 'cc-exp' }),
  cvc: field({ name: 'cvc', label: 'Security code', placeholder: 'CVC', autocomplete: 'cc-csc' }),
};

/** Returns the page in the frame of the payment element. */
export const paymentFormPage = (): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Payment</title><style>${style}</style></head><body>
<form hidden novalidate><p class="note">${testModeNote}. Use one of Stripe's test cards.</p>
<fieldset id="methods"><legend hidden>Payment method</legend>
<label><input type="radio" name="method" value="card" checked>Card</label>
<label><input type="radio" name="method" value="paypal">PayPal</label></fieldset>
<div id="card">${fields.number}<div class="row">${fields.expiry}${fields.cvc}</div></div>
<p id="paypal" class="note" hidden>You continue on PayPal's page.</p></form>
<script type="module" src="/elements/payment-form.js"></script></body></html>`;
