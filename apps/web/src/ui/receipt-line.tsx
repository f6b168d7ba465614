import { Fragment } from 'react';

const separator = ' · ';

/** A line of facts that breaks only between facts, never inside an arrow or a size. */
export function ReceiptLine({ text }: { text: string }) {
  return text.split(separator).map((fact, index) => (
    <Fragment key={fact}>
      {index > 0 && separator}
      <span className="whitespace-nowrap">{fact}</span>
    </Fragment>
  ));
}
