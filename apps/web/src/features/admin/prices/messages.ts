import { countImages, type Meter } from '@uprez/contracts/policy/meters';
import { formatMoney } from '../../../lib/format/money.ts';

const dollars = (amount: number): string => formatMoney({ amount, currency: 'usd' });
type Units = { units: number; meter: Meter };

export const priceMessages = {
  title: 'Prices',
  subtitle: 'Yearly prices and packs that customers can buy',
  sync: 'Changes are synchronized with Stripe within a minute.',
  synced: 'Stripe has these prices.',
  syncing: 'Synchronizing with Stripe. Customers see the former prices until then.',
  noKeys: "Stripe's keys aren't set, so nothing can be bought. Prices are synchronized once they are set.",
  saved: 'Prices saved',
  failed: "Couldn't save prices",
  amountError: (least: number, most: number) => `Enter an amount from ${dollars(least)} to ${dollars(most)}.`,
  states: { on_sale: 'On sale', syncing: 'Synchronizing', off: 'Not sold' },
  yearly: {
    title: 'Yearly prices',
    text: 'Subscribers keep the price that they bought.',
    price: (plan: string) => `${plan}, per year`,
    hint: (year: number) => `12 months cost ${dollars(year)}. Leave empty to sell by the month only.`,
    submit: 'Save prices',
    pending: 'Saving...',
    confirmTitle: 'Save these prices?',
    confirmText: 'They apply to new subscriptions and plan changes.',
    set: (plan: string, amount: number) => `${plan}: ${dollars(amount)} per year`,
    removed: (plan: string) => `${plan}: no longer sold by the year`,
    unchanged: 'No price was changed.',
  },
  packs: {
    title: 'Packs',
    text: "Images that are bought once and don't expire.",
    add: 'Add pack',
    edit: 'Edit pack',
    remove: 'Remove pack',
    actions: (pack: Units) => `Actions for ${countImages(pack.units, pack.meter)}`,
    price: dollars,
    empty: { title: 'No packs yet', text: "Add a pack to sell images that don't expire." },
    removeTitle: (pack: Units) => `Remove the pack of ${countImages(pack.units, pack.meter)}?`,
    removeText: "It can't be bought anymore. Accounts keep the images that they bought.",
  },
  dialog: {
    addTitle: 'Add pack',
    editTitle: 'Edit pack',
    text: 'Accounts that bought the pack before keep its images.',
    units: 'Number of images',
    unitsError: (most: string) => `Enter a whole number from 1 to ${most}.`,
    meter: 'Images',
    meters: { shared: 'All images', ai: 'AI images', standard: 'Standard images' } satisfies Record<Meter, string>,
    price: 'Price, US dollars',
    submit: 'Save pack',
    pending: 'Saving...',
  },
} as const;
