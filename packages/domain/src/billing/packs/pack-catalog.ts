import { countImages, type Meter } from '@uprez/contracts/policy/meters';
import type { BillingSettings } from '@uprez/contracts/schemas/settings';
import { productName } from '../../settings/first-settings.ts';

/** Units that can be bought once: a product at Stripe with one price. `amount` is cents. */
export type CatalogPack = {
  key: string;
  name: string;
  description: string;
  units: number;
  meter: Meter;
  amount: number;
};

/** Returns the packs that can be bought, from the settings. */
export const makePacks = (packs: BillingSettings['packs']): CatalogPack[] =>
  packs.map((pack) => ({
    ...pack,
    name: `${productName} ${countImages(pack.units, pack.meter)}`,
    description: "Extra images for your quota. They never expire, and are used after your plan's quota.",
  }));

/** The ID of a pack's product at Stripe. */
export const packProductId = (key: string): string => `uprez_pack_${key}`;

/** The name of a pack's price at Stripe. It contains all that may change here. */
export const packLookupKey = ({ key, units, meter, amount }: CatalogPack): string =>
  `uprez_pack_${key}_${units}_${meter}_${amount}`;
