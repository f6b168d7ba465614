import { html } from './html.ts';
import { layout } from './layout.ts';

/** Returns the page of a customer that doesn't exist. */
export const missingPage = (): string =>
  layout('Not found', html`<h1>Not found</h1><p>This customer doesn't exist. <a href="/">All customers</a></p>`);
