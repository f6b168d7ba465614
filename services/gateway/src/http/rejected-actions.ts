import { routes } from '@uprez/contracts/endpoints/routes';
import type { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { AuditAction } from '@uprez/contracts/texts/audit-actions';
import { maskEmail } from '@uprez/contracts/texts/mask-email';
import { isUuid } from '@uprez/domain/actor';
import type { RouteConfig } from './contract.ts';

type Fields = Record<string, unknown>;
type AdminRoutes = typeof adminRoutes;
type WriteName = {
  [Name in keyof AdminRoutes]: AdminRoutes[Name]['method'] extends 'GET' ? never : Name;
}[keyof AdminRoutes];
/** `kind`: of the subject, if it isn't the group of the action. */
type Rejected = {
  action: AuditAction | ((body: Fields) => AuditAction);
  kind?: string;
  /** More of the body that says what was tried. */
  shown?: (body: Fields) => Fields;
};

/** People without an account can't delete their email address from the audit log. */
const showInvited = ({ email }: Fields): Fields => (typeof email === 'string' ? { email: maskEmail(email) } : {});
const showCode = ({ code }: Fields): Fields => (typeof code === 'string' ? { code: code.slice(0, 100) } : {});

/** Of a change of a ticket, by the state that it would get. Without one, its assignee would change. */
const changeActions: Record<string, AuditAction> = {
  closed: 'ticket.close',
  open: 'ticket.reopen',
  spam: 'ticket.spam',
};

/** The action of each write, for the row of one that was rejected. */
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
  adminInviteUser: { action: 'invitation.create', shown: showInvited },
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
  adminCreateCoupon: { action: 'coupon.create', shown: showCode },
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
} as const satisfies Partial<Record<WriteName, Rejected>>;

/** Whether rejected calls of a write get rows with its action. */
export const hasRejectedAction = (name: string): boolean => Object.hasOwn(rejectedActions, name);

/** Fields of bodies that say what an administrator tried. Others may be secret or long. */
const shownFields = [
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

/** IDs of paths are any text. */
const idOf = ({ id }: { id?: unknown }): string | undefined => {
  if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id)) return undefined;
  return isUuid(id) ? id.toLowerCase() : id;
};

/** What an administrator tried to do. `body`: as it was sent; undefined if it wasn't read. */
export function describeRejected({ name }: RouteConfig, { params, body }: { params: unknown; body: unknown }) {
  const fields = toFields(body);
  const rejected: Record<string, Rejected | undefined> = rejectedActions;
  const { method, path } = routes[name];
  const { action: named, kind, shown }: Rejected = rejected[name] ?? { action: 'request.send' };
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
      ...Object.fromEntries(shownFields.filter(isShown).map((field) => [field, fields[field]])),
    },
    reason: typeof reason === 'string' ? reason.slice(0, 500) : undefined,
  };
}
