import { routes } from '@uprez/contracts/endpoints/routes';
import type { AdminRouteName, adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { errorCodeHeader } from '@uprez/contracts/errors/problem';
import type { AuditAction } from '@uprez/contracts/texts/admin/audit-actions';
import { maskEmail } from '@uprez/contracts/texts/mask-email';
import { isUuid } from '@uprez/domain/actor';
import { auditExport, auditRejectedWrite } from '@uprez/domain/admin/audit/audit-requests';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { type RouteConfig, routeOf } from './contract.ts';

type Administrator = { actorId: string; viewedId?: string };

const administrators = new WeakMap<FastifyRequest, Administrator>();

/** Remembers which administrator makes a request, because rejected writes and exports add a row to the audit log. */
export const rememberAdministrator = (request: FastifyRequest, administrator: Administrator): void =>
  void administrators.set(request, administrator);

const ruleErrors: readonly string[] = ['grant_limit', 'refund_too_large'] satisfies ErrorCode[];
/** Errors after which the web app asks the administrator for input and repeats the request. */
const promptErrors: readonly string[] = ['step_up_required', 'edit_conflict', 'ticket_answered'] satisfies ErrorCode[];
const rejectionStatuses: readonly number[] = [403, 409, 410];

/** Whether an error means that a role or a rule forbids a write, as opposed to a malformed request. */
const isRejection = (code: string): code is ErrorCode =>
  Object.hasOwn(errorCodes, code) &&
  !promptErrors.includes(code) &&
  (ruleErrors.includes(code) || rejectionStatuses.includes(errorCodes[code as ErrorCode].status));

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

/**
 * Adds a row to the audit log for each rejected write of an administrator. The row is added after the response, because
 * the transaction of the write is rolled back, and an error here must not change the response.
 */
export function registerRejectedWriteAudits(app: FastifyInstance, { db, log }: Pick<Deps, 'db' | 'log'>): void {
  const open = new Set<Promise<void>>();
  app.addHook('onResponse', async (request, reply) => {
    const administrator = administrators.get(request);
    const code = reply.getHeader(errorCodeHeader);
    const route = routeOf(request);
    if (!administrator || !route || isRead(request) || typeof code !== 'string' || !isRejection(code)) return;
    const { actorId, viewedId } = administrator;
    const from = { actorId, address: request.ip, requestId: request.id };
    const described = toRejectedAudit(route, request);
    // Requests that change a user's own account don't name a subject, so the viewed account is the subject.
    const subject = viewedId && !hasRejectedAction(route.name) ? `user:${viewedId}` : described.subject;
    const writing = auditRejectedWrite({ db }, { ...from, ...described, subject, rejected: code })
      .catch((error: unknown) => log.error({ err: error, reqId: request.id, code }, 'audit of a rejected write failed'))
      .finally(() => open.delete(writing));
    open.add(writing);
  });
  app.addHook('onClose', async () => {
    await Promise.all(open);
  });
}

const exportSubjectKinds: Partial<Record<AdminRouteName, string>> = {
  adminExportLedger: 'user',
  adminExportRedemptions: 'coupon',
};

/** `adminExportStripeEvents` -> `stripe events`. */
const listOf = (name: string): string | undefined =>
  /^adminExport(\w+)$/
    .exec(name)?.[1]
    ?.replaceAll(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase();

/**
 * Adds a row to the audit log before sending the first byte of an administrator's export. Recognizes exports by the
 * names of their routes. HEAD requests add no row, because they don't send the list. The web app uses them to check
 * whether an export is possible.
 */
export function registerExportAudits(app: FastifyInstance, { db }: Pick<Deps, 'db'>): void {
  app.addHook('onSend', async (request, reply) => {
    const administrator = administrators.get(request);
    const route = routeOf(request);
    const list = route && listOf(route.name);
    if (!administrator || !list || reply.statusCode !== 200 || request.method === 'HEAD') return;
    const owner = exportSubjectKinds[route.name as AdminRouteName];
    const { id } = request.params as { id?: string };
    const query = request.query as Record<string, unknown>;
    await auditExport(
      { db },
      {
        ...{ actorId: administrator.actorId, address: request.ip, requestId: request.id },
        subject: owner && id ? `${owner}:${id.toLowerCase()}` : `export:${list}`,
        accountId: typeof query.account === 'string' ? query.account : undefined,
        after: { list, format: 'csv', ...query },
      },
    );
  });
}

type Fields = Record<string, unknown>;
type AdminRoutes = typeof adminRoutes;
type WriteName = {
  [Name in keyof AdminRoutes]: AdminRoutes[Name]['method'] extends 'GET' ? never : Name;
}[keyof AdminRoutes];
/** `kind`: the kind of the subject, if it differs from the action's group. */
type RejectedAction = {
  action: AuditAction | ((body: Fields) => AuditAction);
  kind?: string;
  /** Additional fields that show what was attempted. */
  shown?: (body: Fields) => Fields;
};

/** Masks the email address, because people without an account can't have it deleted from the audit log. */
const pickMaskedEmail = ({ email }: Fields): Fields => (typeof email === 'string' ? { email: maskEmail(email) } : {});
const pickCode = ({ code }: Fields): Fields => (typeof code === 'string' ? { code: code.slice(0, 100) } : {});

/** The action of a rejected ticket change, by the requested state. A change without a state is an assignment. */
const changeActions: Record<string, AuditAction> = {
  closed: 'ticket.close',
  open: 'ticket.reopen',
  spam: 'ticket.spam',
};

/** The audit action of each write, for rejected calls. */
const rejectedActions = {
  adminUpdateUser: { action: ({ suspended }) => (suspended === false ? 'user.restore' : 'user.suspend') },
  adminSetRole: { action: 'user.role' },
  adminSetTier: { action: 'user.tier' },
  adminRemoveTwoFactor: { action: 'user.two_factor_off' },
  adminUnlockUser: { action: 'user.unlock' },
  adminEndUserSessions: { action: 'user.sign_out' },
  adminResendVerification: { action: 'user.verification' },
  adminStartView: { action: 'user.view_as' },
  adminGrantUnits: { action: 'user.grant' },
  adminInviteUser: { action: 'invitation.create', shown: pickMaskedEmail },
  adminResendInvitation: { action: 'invitation.resend' },
  adminRevokeInvitation: { action: 'invitation.revoke' },
  putSiteSettings: { action: 'settings.site' },
  putEmailSettings: { action: 'settings.email' },
  putSecuritySettings: { action: 'settings.security' },
  putBillingSettings: { action: 'settings.billing' },
  putSeoSettings: { action: 'settings.seo' },
  adminRestoreSettings: { action: 'settings.restore' },
  adminSendTestMail: { action: 'settings.test_mail' },
  adminCancelSubscription: { action: 'subscription.cancel' },
  adminRetryInvoice: { action: 'subscription.retry' },
  adminResyncAccount: { action: 'billing.resync', kind: 'user' },
  adminRefundTransaction: { action: 'payment.refund' },
  adminRetryStripeEvent: { action: 'billing.retry_event', kind: 'stripe_event' },
  adminCreateCoupon: { action: 'coupon.create', shown: pickCode },
  adminUpdateCoupon: { action: ({ disabled }) => (disabled === false ? 'coupon.enable' : 'coupon.disable') },
  adminCreateServiceKey: { action: 'api_key.create' },
  adminToggleApiKey: { action: ({ isActive }) => (isActive === false ? 'api_key.deactivate' : 'api_key.activate') },
  adminDeleteApiKey: { action: 'api_key.delete' },
  adminAcknowledgeAnomaly: { action: 'anomaly.acknowledge' },
  adminRetryJob: { action: 'job.retry' },
  adminRequeueJob: { action: 'job.requeue' },
  adminCancelJob: { action: 'job.cancel' },
  adminPauseEngine: { action: ({ paused }) => (paused === false ? 'engine.resume' : 'engine.pause') },
  adminDrainWorker: { action: ({ draining }) => (draining === false ? 'worker.resume' : 'worker.drain') },
  adminDrainWorkers: { action: ({ draining }) => (draining === false ? 'worker.resume' : 'worker.drain') },
  adminPutPool: { action: 'pool.change' },
  adminDeletePool: { action: 'pool.delete' },
  adminSetUserPool: { action: 'user.pool' },
  adminUploadMedia: { action: 'media.upload' },
  adminUpdateMedia: { action: 'media.update' },
  adminReplaceMedia: { action: 'media.replace' },
  adminRetryMedia: { action: 'media.retry' },
  adminDeleteMedia: { action: 'media.delete' },
  adminRestoreMedia: { action: 'media.restore' },
  adminCreateArticle: { action: 'article.create' },
  adminSaveDraft: { action: 'article.edit' },
  adminDiscardDraft: { action: 'article.edit' },
  adminRestoreRevision: { action: 'article.edit' },
  adminCreatePreview: { action: 'article.preview' },
  adminCreatePost: { action: 'article.create' },
  adminUpdatePost: { action: 'article.edit' },
  adminPublishArticle: {
    action: ({ publishAt }) => (publishAt === undefined ? 'article.publish' : 'article.schedule'),
  },
  adminWithdrawLegalVersion: { action: 'article.withdraw' },
  adminUnpublishArticle: { action: 'article.unpublish' },
  adminDeleteArticle: { action: 'article.delete' },
  adminMoveArticle: { action: 'article.move' },
  adminRestoreArticle: { action: 'article.restore' },
  adminDeletePost: { action: 'article.delete' },
  adminCreateCategory: { action: 'category.create' },
  adminUpdateCategory: { action: 'category.update' },
  adminDeleteCategory: { action: 'category.delete' },
  adminReplyToTicket: { action: 'ticket.reply' },
  adminAddNote: { action: 'ticket.note' },
  adminDeleteTicket: { action: 'ticket.delete' },
  adminChangeTicket: { action: ({ state }) => changeActions[String(state)] ?? 'ticket.assign' },
  adminSetOverride: { action: 'status.override' },
  adminRemoveOverride: { action: 'status.override_end' },
  adminCreateIncident: { action: 'incident.create' },
  adminScheduleMaintenance: { action: 'incident.schedule' },
  adminAddIncidentUpdate: { action: 'incident.update' },
  adminDeleteSubscriber: { action: 'subscriber.delete' },
  adminCreateCampaign: { action: 'campaign.create' },
  adminUpdateCampaign: { action: 'campaign.update' },
  adminDeleteCampaign: { action: 'campaign.delete' },
  adminTestCampaign: { action: 'campaign.test' },
  adminScheduleCampaign: { action: 'campaign.schedule' },
  adminSendCampaign: { action: 'campaign.send' },
  adminPauseCampaign: { action: 'campaign.pause' },
  adminResumeCampaign: { action: 'campaign.resume' },
  adminCancelCampaign: { action: 'campaign.cancel' },
  adminInviteLead: { action: 'lead.send_link' },
  adminSendCheckoutLink: { action: 'lead.send_link' },
} as const satisfies Partial<Record<WriteName, RejectedAction>>;

/** Whether the audit log records rejected calls of a write with the write's own action. */
export const hasRejectedAction = (name: string): boolean => Object.hasOwn(rejectedActions, name);

/** Other fields may be secret or long. */
const auditedFields = [
  'role',
  'units',
  'meter',
  'subscriptionTier',
  'suspended',
  'amount',
  'when',
  'interval',
  'pool',
  'fallback',
];

const toFields = (body: unknown): Fields => (body !== null && typeof body === 'object' ? (body as Fields) : {});

/** Returns the ID in a path. Undefined if it isn't valid, because a path can contain any string. */
const idOf = ({ id }: { id?: unknown }): string | undefined => {
  if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id)) return undefined;
  return isUuid(id) ? id.toLowerCase() : id;
};

/** Describes what an administrator attempted. `body`: as sent, or undefined if it wasn't read. */
export function toRejectedAudit({ name }: RouteConfig, { params, body }: { params: unknown; body: unknown }) {
  const fields = toFields(body);
  const rejected: Record<string, RejectedAction | undefined> = rejectedActions;
  const { method, path } = routes[name];
  const { action: named, kind, shown }: RejectedAction = rejected[name] ?? { action: 'request.send' };
  const action = typeof named === 'string' ? named : named(fields);
  const [group = ''] = action.split('.');
  const { id, name: settings, service } = toFields(params);
  const subject =
    group === 'settings' && settings === undefined
      ? action.replace('.', ':')
      : [kind ?? group, idOf({ id: settings ?? service ?? id })].filter(Boolean).join(':');
  const isShown = (field: string) => ['string', 'number', 'boolean'].includes(typeof fields[field]);
  const reason = [fields.reason, fields.note].find((text) => typeof text === 'string');
  return {
    action,
    subject,
    after: {
      ...(rejected[name] === undefined && { request: `${method} ${path}` }),
      ...shown?.(fields),
      ...Object.fromEntries(auditedFields.filter(isShown).map((field) => [field, fields[field]])),
    },
    reason: typeof reason === 'string' ? reason.slice(0, 500) : undefined,
  };
}
