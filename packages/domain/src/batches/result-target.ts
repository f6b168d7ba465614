import type { Needs } from '../context.ts';

/** Binds a sealed target to its item. */
export const targetPurpose = (itemId: string): string => `result-target:${itemId}`;

/** Returns the row of a delivery. Only the host of the URL is stored in clear text. */
export const makeResultDelivery = (
  { vault }: Needs<'vault'>,
  { id, targetUrl }: { id: string; targetUrl: string },
) => ({
  itemId: id,
  target: vault.seal(targetUrl, targetPurpose(id)),
  host: new URL(targetUrl).host,
});
