import type { Needs } from '../context.ts';

/** Binds a sealed target to its item. */
export const targetPurpose = (itemId: string): string => `result-target:${itemId}`;

type ItemTarget = { id: string; targetUrl: string; isRefused: boolean };

/** Returns the row of a delivery. Only the host of the URL is stored in clear text, and of a refused item nothing else. */
export const makeResultDelivery = ({ vault }: Needs<'vault'>, { id, targetUrl, isRefused }: ItemTarget) => ({
  itemId: id,
  target: isRefused ? null : vault.seal(targetUrl, targetPurpose(id)),
  host: new URL(targetUrl).host,
});
