import { countImages, type Meter } from '@uprez/contracts/policy/plans/meters';
import { formatCount } from '@uprez/contracts/texts/format';

type Units = { units: number; meter: Meter };
const nameOf = ({ units, meter }: Units): string => countImages(units, meter);

export const packMessages = {
  title: 'Packs',
  lead: "Extra images for your quota. They never expire, and are used after your plan's quota.",
  list: 'Packs on sale',
  name: nameOf,
  buy: 'Buy pack',
  buyOf: (pack: Units) => `Buy pack: ${nameOf(pack)}`,
  bought: 'Your packs',
  boughtOn: (date: string) => `Bought on ${date}`,
  left: ({ left, units, reversed }: { left: number; units: number; reversed: number }) =>
    `${formatCount(left)} of ${formatCount(units)} left${reversed > 0 ? `, ${formatCount(reversed)} removed after a refund` : ''}`,
} as const;
