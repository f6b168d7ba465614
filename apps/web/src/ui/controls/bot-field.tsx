import type { ComponentProps } from 'react';

/** A field that only bots fill: people and screen readers don't see it. */
export const BotField = (props: ComponentProps<'input'>) => (
  <input {...props} type="text" tabIndex={-1} autoComplete="off" aria-hidden="true" className="hidden" />
);
