import type { Needs } from '../context.ts';

/** Seconds without a request after which a session ends, as administrators have set it. */
export const sessionLifeS = async (ctx: Needs<'settings'>): Promise<number> =>
  (await ctx.settings.read('security')).sessionTimeout * 60;
