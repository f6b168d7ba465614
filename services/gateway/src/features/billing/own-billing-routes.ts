import type { Invoice } from '@uprez/contracts/schemas/billing/billing';
import { listAllInvoices, listInvoices } from '@uprez/domain/billing/own/list-invoices';
import { readBilling } from '@uprez/domain/billing/own/read-billing';
import type { Deps } from '../../deps.ts';
import { defineHandlers } from '../../http/contract.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { currencyCell, formatCsv, moneyCell } from '../format-csv.ts';

/** Handlers for an account's plan and bills, which are read from our database only. */
export const ownBillingHandlers = ({ actorOf }: ApiAdapter, deps: Deps) =>
  defineHandlers({
    billing: async (request) => readBilling(deps, (await actorOf(request)).accountId),
    listInvoices: async (request) => {
      const { accountId } = await actorOf(request);
      return listInvoices(deps, { accountId, ...request.query });
    },
    exportInvoices: async (request, reply) => {
      const { accountId } = await actorOf(request);
      const rows = (await listAllInvoices(deps, accountId)).map(toCsvRow);
      reply.headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="invoices.csv"',
        'cache-control': 'no-store',
      });
      return reply.send(formatCsv(rows, columns));
    },
  });

const columns = [
  ...['number', 'created', 'status', 'description', 'currency'],
  ...['subtotal', 'discount', 'tax', 'total', 'paid', 'refunded'],
];

/** Returns the CSV row of an invoice, with amounts in major units of the currency. */
const toCsvRow = ({ number, createdAt: created, status, description, currency, ...amounts }: Invoice) => {
  const { subtotal, discount, tax, total, paid, refunded } = amounts;
  return {
    ...{ number, created, status, description, currency: currencyCell(currency) },
    ...{ subtotal: moneyCell(subtotal), discount: moneyCell(discount), tax: moneyCell(tax) },
    ...{ total: moneyCell(total), paid: moneyCell(paid), refunded: moneyCell(refunded) },
  };
};
