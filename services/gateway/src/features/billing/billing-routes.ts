import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Invoice } from '@uprez/contracts/schemas/billing/billing';
import { listAllInvoices, listInvoices } from '@uprez/domain/billing/own/list-invoices';
import { readBilling } from '@uprez/domain/billing/own/read-billing';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import { withReservedMemory } from '../../http/bodies/body-budgets.ts';
import { readBytes } from '../../http/bodies/read-json.ts';
import { defineHandlers } from '../../http/contract.ts';
import { addressOf } from '../../http/request-callers.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { currencyCell, formatCsv, moneyCell } from '../format-csv.ts';

/** Handlers for an account's plan and bills. They read only our own database. */
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

/** Handlers for buying a plan, in our form or on Stripe's page. */
export const purchaseHandlers = ({ actorOf }: ApiAdapter, deps: Deps) => {
  const { db, log, config } = deps;
  const open = async (request: FastifyRequest) => {
    const buyer = await requireUser(deps, request);
    const { payments, verbs } = await deps.billing.get();
    return {
      verbs,
      ctx: { db, log, payments },
      input: { buyer, publicUrl: config.PUBLIC_URL, ipAddress: addressOf(request) },
    };
  };
  return defineHandlers({
    createSubscription: async (request, reply) => {
      const { verbs, ctx, input } = await open(request);
      // Prevents caching, because the response contains a secret that lets a browser pay.
      reply.header('cache-control', 'no-store');
      return verbs.createSubscription(ctx, { ...input, ...request.body });
    },
    createCheckoutSession: async (request) => {
      const { verbs, ctx, input } = await open(request);
      return verbs.createCheckoutSession(ctx, { ...input, ...request.body });
    },
    buyPack: async (request) => {
      const { verbs, ctx, input } = await open(request);
      return verbs.buyPack(ctx, { ...input, ...request.body });
    },
    refreshBilling: async (request) => {
      const { accountId } = await actorOf(request);
      const { payments, verbs } = await deps.billing.get();
      return verbs.refreshBilling({ db, log, payments }, { accountId, ...request.body });
    },
    billingConfig: async () => {
      const { payments, verbs } = await deps.billing.get();
      const { apiUrl } = config.payments ?? {};
      return {
        publishableKey: payments.publishableKey,
        scriptOrigin: apiUrl ? new URL(apiUrl).origin : null,
        isTest: payments.mode === 'test',
        collectsTax: (await verbs.readBillingSettings(db)).collectsTax,
      };
    },
  });
};

/**
 * Handlers for subscribers' changes to their plan. Without Stripe's keys, the endpoints respond with
 * `billing_not_configured`.
 */
export const billingChangeHandlers = ({ actorOf }: ApiAdapter, deps: Deps) => {
  const open = async (request: FastifyRequest) => {
    const { accountId } = await actorOf(request);
    const { payments, verbs } = await deps.billing.get();
    return { accountId, verbs, ctx: { db: deps.db, vault: deps.vault, log: deps.log, payments } };
  };
  return defineHandlers({
    previewChange: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      const { priceId, code } = request.body;
      const typed = code === undefined ? undefined : { code, ipAddress: addressOf(request) };
      return await verbs.previewChange(ctx, { accountId, priceId, typed });
    },
    changePlan: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.changePlan(ctx, { accountId, ...request.body });
    },
    undoChange: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.undoChange(ctx, accountId);
    },
    cancelSubscription: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.cancelPlan(ctx, { accountId, ...request.body });
    },
    refundSubscription: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.refundPlan(ctx, { accountId, ...request.body });
    },
    resumeSubscription: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.resumePlan(ctx, { accountId, ...request.body });
    },
    pauseSubscription: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.pausePlan(ctx, { accountId, ...request.body });
    },
    changeCard: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.changeCard(ctx, accountId);
    },
    payInvoice: async (request) => {
      const { ctx, verbs, accountId } = await open(request);
      return await verbs.payBill(ctx, accountId);
    },
    downloadInvoice: async (request, reply) => {
      const { ctx, verbs, accountId } = await open(request);
      const url = await verbs.findInvoicePdf(ctx, { accountId, ...request.params });
      return reply.header('cache-control', 'no-store').redirect(url, 302);
    },
  });
};

/** Error code and detail for each reason to reject an event. Stripe's dashboard shows them. */
const rejections = {
  signature: ['bad_signature'],
  too_old: ['bad_signature', 'The signature is older than 5 minutes.'],
  too_new: ['bad_signature', 'The signature is dated more than 5 minutes ahead.'],
  body: ['malformed_body', "The body isn't a Stripe event."],
} as const;
const isRejected = (result: string): result is keyof typeof rejections => Object.hasOwn(rejections, result);

/** Memory that an event takes, as a multiple of its size. Includes its bytes, its string, and its parsed values. */
const eventMemoryFactor = 4;

/** Handler for Stripe events. The endpoint doesn't exist without Stripe's keys. */
export const billingHandlers = (deps: Deps) => {
  const received = deps.metrics.counter({
    name: 'stripe_webhooks_total',
    help: 'Webhook requests of Stripe by result. Results other than stored, repeated, other_customer, and other_mode are rejected.',
    labels: ['result'],
  });
  return defineHandlers({
    stripeWebhook: async (request) => {
      if (!deps.config.payments) throw new AppError('not_found');
      const { payments, verbs } = await deps.billing.get();
      const signature = request.headers['stripe-signature']?.toString();
      const held = { request, maxBytes: limits.stripeEventBytes, copies: eventMemoryFactor };
      const result = await withReservedMemory(deps, held, async () => {
        const body = await readBytes(request, limits.stripeEventBytes);
        return verbs.receiveEvent({ db: deps.db, payments }, { body, signature });
      });
      received.add({ result });
      if (isRejected(result)) {
        const [code, detail] = rejections[result];
        throw new AppError(code, detail ? { detail } : {});
      }
      return { received: true as const };
    },
  });
};
