import { AppError } from '@uprez/contracts/errors/app-error';
import type { Coupon, Redemption } from '@uprez/contracts/schemas/billing/coupons';
import { changeCouponState, createCoupon } from '@uprez/domain/admin/coupons';
import { checkCoupon } from '@uprez/domain/billing/coupons/check-coupon';
import { termsOf } from '@uprez/domain/billing/coupons/coupon-rules';
import {
  exportCoupons,
  exportRedemptions,
  type ListedCoupon,
  type ListedRedemption,
  listCoupons,
  listRedemptions,
} from '@uprez/domain/billing/coupons/list-coupons';
import type { Deps } from '../../deps.ts';
import { findUser, requireAdmin } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { addressOf } from '../../http/request-callers.ts';
import { couponColumns, redemptionFields } from '../admin/export-columns.ts';
import { presentPages, sendExport, sendFile } from '../admin/send-export.ts';

export const couponHandlers = (deps: Deps) =>
  defineHandlers({
    checkCoupon: async (request) => {
      if (!deps.config.payments) throw new AppError('billing_not_configured');
      const { code } = request.params;
      const guesser = { accountId: (await findUser(deps, request))?.id, ipAddress: addressOf(request) };
      return checkCoupon(deps, { code, ...request.query, guesser });
    },
  });

export const adminCouponHandlers = (deps: Deps) =>
  defineHandlers({
    adminListCoupons: async (request, reply) =>
      rowsOfPage(reply, await listCoupons(deps, request.query)).map(presentCoupon),
    adminExportCoupons: async (request, reply) => {
      const pages = presentPages(await exportCoupons(deps, request.query), presentCoupon);
      return sendExport(reply, { name: 'coupons', columns: couponColumns, pages, query: request.query });
    },
    adminCreateCoupon: async (request, reply) => {
      const coupon = await createCoupon(deps, { admin: await requireAdmin(deps, request), coupon: request.body });
      return reply.status(201).send(presentCoupon(coupon));
    },
    adminUpdateCoupon: async (request) => {
      const change = { couponId: request.params.id, isDisabled: request.body.disabled };
      return presentCoupon(await changeCouponState(deps, { admin: await requireAdmin(deps, request), ...change }));
    },
    adminListRedemptions: async (request, reply) => {
      const { id: couponId } = request.params;
      return rowsOfPage(reply, await listRedemptions(deps, { couponId, ...request.query })).map(presentRedemption);
    },
    adminExportRedemptions: async (request, reply) => {
      const pages = presentPages(await exportRedemptions(deps, request.params.id), presentRedemption);
      return sendFile(reply, { name: 'coupon-uses', fields: redemptionFields, pages, ...request.query });
    },
  });

const presentCoupon = (coupon: ListedCoupon): Coupon => ({
  ...termsOf(coupon),
  id: coupon.id,
  state: coupon.state,
  plans: coupon.tiers,
  maxUses: coupon.maxUses,
  uses: coupon.uses,
  perAccount: coupon.perAccount,
  expiresAt: coupon.expiresAt?.toISOString() ?? null,
  disabledAt: coupon.disabledAt?.toISOString() ?? null,
  isSynced: coupon.promotionCodeId !== null,
  syncError: coupon.error,
  createdAt: coupon.createdAt.toISOString(),
});

const presentRedemption = (row: ListedRedemption): Redemption => ({
  id: row.id,
  state: row.releasedAt ? 'released' : row.redeemedAt ? 'redeemed' : 'reserved',
  accountId: row.accountId,
  email: row.email,
  subscriptionId: row.subscriptionId,
  reservedAt: row.reservedAt.toISOString(),
  redeemedAt: row.redeemedAt?.toISOString() ?? null,
  releasedAt: row.releasedAt?.toISOString() ?? null,
});
