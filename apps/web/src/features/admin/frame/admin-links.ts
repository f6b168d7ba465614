import { paths } from '../../../site-map.ts';
import { adminMessages } from '../messages.ts';

type AdminLink = { label: string; to: string };
type AdminGroup = { label: string; links: readonly AdminLink[] };

const { groups, links } = adminMessages;

/** The entries of the sidebar, in order: only pages that exist. */
export const adminGroups: readonly AdminGroup[] = [
  {
    label: groups.payments,
    links: [
      { label: links.subscriptions, to: paths.adminPayments },
      { label: links.transactions, to: paths.adminTransactions },
      { label: links.coupons, to: paths.adminCoupons },
      { label: links.leads, to: paths.adminLeads },
      { label: links.prices, to: paths.adminPrices },
      { label: links.inbox, to: paths.adminInbox },
    ],
  },
];
