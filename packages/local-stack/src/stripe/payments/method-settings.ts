import * as z from 'zod';
import type { Context } from '../context.ts';

export const methodSettingsSchema = z.strictObject({ paypal: z.enum(['on', 'off']) });

export const isPaypalOn = ({ store }: Pick<Context, 'store'>): boolean =>
  store.get('methodSettings', 'current')?.paypal !== 'off';

/** Returns the types of payment methods that customers may choose. */
export const listMethodTypes = (context: Pick<Context, 'store'>): string[] =>
  isPaypalOn(context) ? ['card', 'paypal'] : ['card'];
