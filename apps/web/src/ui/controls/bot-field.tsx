import type { ComponentProps } from 'react';

/** A honeypot field: hidden from people and screen readers, so only bots fill it in. */
export const BotField = (props: ComponentProps<'input'>) => (
  <input {...props} type="text" tabIndex={-1} autoComplete="off" aria-hidden="true" className="hidden" />
);
