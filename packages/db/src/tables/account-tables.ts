import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Generated, JSONColumnType } from 'kysely';

/** An account. `virtualTime`: seconds of service that it has had, divided by its weight (fair queueing). */
export type UsersTable = {
  id: string;
  email: string;
  username: string;
  passwordHash: string;
  firstName: string | null;
  lastName: string | null;
  /** Of an administrator. Null: the account has no access to administration. */
  role: Generated<Role | null>;
  tier: Generated<Tier>;
  emailVerified: Generated<boolean>;
  /** Whether the owner wants emails about reached shares of the quota. */
  quotaEmails: Generated<boolean>;
  /** Whether the owner wants emails about long batches that ended. */
  batchEmails: Generated<boolean>;
  virtualTime: Generated<number>;
  /** The pool whose clock `virtualTime` is of. Null: that of shared workers. */
  virtualClock: string | null;
  createdAt: Generated<Date>;
  /** The latest version of the terms of service that the user accepted. */
  termsVersion: number | null;
  suspendedAt: Date | null;
  suspendedReason: string | null;
  /** When an account that its owner wants gone is deleted, unless it is kept. */
  deletesAt: Date | null;
  /** Sealed. Set up from the first call on, in force from `twoFactorAt` on. */
  twoFactorSecret: string | null;
  twoFactorAt: Date | null;
  /** The 30-second step of the last code that was taken: none is taken twice. Before it is in force: when it was set up. */
  twoFactorStep: Generated<number>;
  /** When the first billing cycle of a paid tier began, if not with the account. Free periods are calendar months (UTC). */
  periodAnchor: Date | null;
  /** The tier that administrators set above billing, its end, and its reason. */
  overrideTier: Tier | null;
  overrideUntil: Date | null;
  overrideReason: string | null;
  /** The version and the time that a subscription pays for. Null without one, and during an override. */
  planVersion: number | null;
  planFrom: Date | null;
  planUntil: Date | null;
  /** The invoice that pays it. Null while the invoice isn't known yet. */
  planRef: string | null;
  /** Percent of the plan's units that may be used. Less than 100 until a renewal is paid. */
  planShare: Generated<number>;
  /** When the tier changes without an event. */
  planEndsAt: Date | null;
  /** Whether the account is used by probes of the status page. It appears in no list and no figure. */
  isService: Generated<boolean>;
};

/** A session. `idHash`: SHA-256 of the cookie's secret; `id`: shown to the user. */
export type SessionsTable = {
  idHash: Buffer;
  id: Generated<string>;
  userId: string;
  createdAt: Generated<Date>;
  lastSeenAt: Generated<Date>;
  expiresAt: Date;
  userAgent: string | null;
  address: string | null;
  /** When its user last proved the password or a code for critical changes. */
  steppedUpAt: Generated<Date | null>;
  /** Of the device it was opened on. */
  deviceHash: Buffer | null;
  /** The view of another account that an administrator is in, also if it has ended. */
  viewAsId: Generated<string | null>;
};

/** When a user accepted a version of the terms of service, and from which IP address. */
export type TermAcceptancesTable = {
  userId: string;
  version: number;
  acceptedAt: Generated<Date>;
  address: string | null;
};

/** A time for which an administrator saw the web app as a user. `endsAt`: planned, or earlier if the view was ended. */
export type AccountViewsTable = {
  id: string;
  userId: string;
  adminId: string | null;
  startedAt: Generated<Date>;
  endsAt: Date;
};

/** A browser that a user has signed in with. `secretHash`: SHA-256 of the secret that its long-lived cookie carries. */
export type DevicesTable = {
  userId: string;
  secretHash: Buffer;
  userAgent: string | null;
  createdAt: Generated<Date>;
  lastSeenAt: Generated<Date>;
};

/** Codes that stand in for the authenticator app, each once: a used one is deleted. */
export type RecoveryCodesTable = {
  userId: string;
  codeHash: Buffer;
};

/** A passkey. `counter`: of its signatures; some authenticators don't count. */
export type PasskeysTable = {
  id: string;
  userId: string;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: Generated<string[]>;
  name: string;
  createdAt: Generated<Date>;
  lastUsedAt: Date | null;
};

/** A challenge that a browser signs with a passkey, once. `userId`: who registers one; null for a sign-in. */
export type PasskeyChallengesTable = {
  challengeHash: Buffer;
  userId: string | null;
  expiresAt: Date;
};

/** A link in a mail that may be followed once. `email`: the address it was sent to, or that it proves. */
export type AccountTokensTable = {
  tokenHash: Buffer;
  userId: string;
  kind: 'verify' | 'reset' | 'change_email';
  email: string;
  createdAt: Generated<Date>;
  expiresAt: Date;
};

/**
 * An invitation that wasn't accepted. `tokenHash`: of the link in the latest email; null until that is sent. `role`: of the
 * account that is created; null: none.
 */
export type InvitationsTable = {
  id: string;
  email: string;
  role: Role | null;
  tokenHash: Buffer | null;
  invitedBy: string | null;
  createdAt: Generated<Date>;
  sentAt: Generated<Date>;
  expiresAt: Date;
};

/** A task that the dispatcher runs for an account. One of a kind is open at a time. */
export type AccountTasksTable = {
  id: string;
  userId: string;
  kind: 'export';
  status: Generated<'waiting' | 'running' | 'done' | 'failed' | 'expired'>;
  attempts: Generated<number>;
  notBefore: Generated<Date>;
  objectId: string | null;
  createdAt: Generated<Date>;
  finishedAt: Date | null;
  expiresAt: Date | null;
};

/** Counted guesses of a secret. `blocks`: consecutive blocks, each longer than the last. */
export type AttemptsTable = {
  subject: string;
  count: Generated<number>;
  blocks: Generated<number>;
  lastAt: Generated<Date>;
  blockedUntil: Date | null;
};

/** One write of an administrator: who, what, how it was before and after. The database rejects changes of rows. */
export type AuditsTable = {
  id: Generated<string>;
  /** Null after the account was deleted, and for commands of operators. */
  actorId: string | null;
  /** The administrator's, at that time. */
  role: Role | null;
  /** The administrator's, masked. Stays when the account is deleted. */
  actorEmail: string | null;
  action: string;
  /** `user:<id>`, `settings:<name>`. */
  subject: string;
  /** The account that the subject is or belongs to, also after it was deleted. */
  accountId: string | null;
  before: JSONColumnType<Record<string, unknown>>;
  after: JSONColumnType<Record<string, unknown>>;
  reason: string | null;
  address: string | null;
  requestId: string | null;
  /** The error code of a write that was rejected. */
  rejected: string | null;
  createdAt: Generated<Date>;
};

export type AccountTables = {
  users: UsersTable;
  sessions: SessionsTable;
  termAcceptances: TermAcceptancesTable;
  accountViews: AccountViewsTable;
  devices: DevicesTable;
  recoveryCodes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  passkeyChallenges: PasskeyChallengesTable;
  accountTokens: AccountTokensTable;
  invitations: InvitationsTable;
  accountTasks: AccountTasksTable;
  attempts: AttemptsTable;
  audits: AuditsTable;
};
