import { Fragment } from 'react';

const separator = ' · ';
/** Keeps the separator on the same line as the item before it. */
const displaySeparator = '\u00a0· ';

export function ReceiptLine({ text }: { text: string }) {
  return text.split(separator).map((fact, index) => (
    <Fragment key={fact}>
      {index > 0 && displaySeparator}
      <span className="whitespace-nowrap">{fact}</span>
    </Fragment>
  ));
}
