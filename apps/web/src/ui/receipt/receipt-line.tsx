import { Fragment } from 'react';

const separator = ' · ';
/** The dot stays with what it follows. */
const shown = '\u00a0· ';

/** A line of facts that breaks only between facts, never inside an arrow or a size. */
export function ReceiptLine({ text }: { text: string }) {
  return text.split(separator).map((fact, index) => (
    <Fragment key={fact}>
      {index > 0 && shown}
      <span className="whitespace-nowrap">{fact}</span>
    </Fragment>
  ));
}
