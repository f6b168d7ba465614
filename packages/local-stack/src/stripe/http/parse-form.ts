import { parse } from 'qs';

/** Parses a form of Stripe's: `items[0][price]=x` becomes `{ items: [{ price: 'x' }] }`. */
export const parseForm = (text: string): Record<string, unknown> =>
  parse(text, { depth: 10, arrayLimit: 100, parameterLimit: 1_000, allowPrototypes: false });
