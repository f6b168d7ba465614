import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Generated, JSONColumnType } from 'kysely';

/**
 * An account. `virtualTime`: processing time that the account has received, in seconds, divided by its weight (fair
 * queueing).
 */
export type UsersTable = {
  id: string;
  email: string;
  username: string;
  passwordHash: string;
  firstName: string | null;
  lastName: string | null;
  /** Role of an administrator. Null if the account has no access to administration. */
  role: Generated<Role | null>;
  tier: Generated<Tier>;
  emailVerified: Generated<boolean>;
  quotaEmails: Generated<boolean>;
  /** Whether the owner wants emails when long batches end. */
  batchEmails: Generated<boolean>;
  virtualTime: Generated<number>;
  /** The pool whose clock `virtualTime` refers to. Null for the clock of shared workers. */
  virtualClock: string | null;
  createdAt: Generated<Date>;
  /** The latest version of the terms of service that the user accepted. */
  termsVersion: number | null;
  suspendedAt: Date | null;
  suspendedReason: string | null;
  /** When the account will be deleted at its owner's request. Null if no deletion is scheduled. */
  deletesAt: Date | null;
  /** The sealed secret. Stored when setup starts, and in effect since `twoFactorAt`. */
  twoFactorSecret: string | null;
  twoFactorAt: Date | null;
  /**
   * The 30-second step of the last accepted code. Stored because no code may be accepted twice. While setup is pending,
   * the step in which setup started.
   */
  twoFactorStep: Generated<number>;
  /**
   * Start of the first billing cycle of a paid tier. Null if cycles are counted from the account's creation. Periods of
   * the Free plan are calendar months (UTC).
   */
  periodAnchor: Date | null;
  /** Tier that an administrator set, with its end and the reason. Takes precedence over billing. */
  overrideTier: Tier | null;
  overrideUntil: Date | null;
  overrideReason: string | null;
  /**
   * The plan version and the period that a subscription pays for. Null without a subscription and during an override.
   */
  planVersion: number | null;
  planFrom: Date | null;
  planUntil: Date | null;
  /** ID of the invoice that covers the current plan period. Null until the invoice is known. */
  planRef: string | null;
  /** Percentage of the plan's units that may be used. Below 100 until a renewal is paid. */
  planShare: Generated<number>;
  /** When the tier may next change without an event, such as at the end of an override. */
  planEndsAt: Date | null;
  /**
   * Whether the account is used by probes of the status page. Such accounts are excluded from all lists and statistics.
   */
  isService: Generated<boolean>;
};

/** A session. `idHash`: SHA-256 of the cookie's secret. `id`: ID that is shown to the user. */
export type SessionsTable = {
  idHash: Buffer;
  id: Generated<string>;
  userId: string;
  createdAt: Generated<Date>;
  lastSeenAt: Generated<Date>;
  expiresAt: Date;
  userAgent: string | null;
  address: string | null;
  /** When the user last entered the password or a code to confirm a critical change. */
  steppedUpAt: Generated<Date | null>;
  /** `secretHash` of the device that the session was opened on. */
  deviceHash: Buffer | null;
  /** The administrator's view of another account. Kept after the view has ended. */
  viewAsId: Generated<string | null>;
};

export type TermAcceptancesTable = {
  userId: string;
  version: number;
  acceptedAt: Generated<Date>;
  address: string | null;
};

/**
 * A period in which an administrator viewed the web app as a user. `endsAt`: the planned end, or the actual end if the
 * view was ended early.
 */
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

/** Recovery codes. Each code replaces an authenticator code once and is deleted when used. */
export type RecoveryCodesTable = {
  userId: string;
  codeHash: Buffer;
};

/** A passkey. `counter`: signature counter, which some authenticators don't use. */
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

/**
 * A one-time challenge that a browser signs with a passkey. `userId`: the user who is registering the passkey, or null
 * for a sign-in.
 */
export type PasskeyChallengesTable = {
  challengeHash: Buffer;
  userId: string | null;
  expiresAt: Date;
};

/** A one-time link in an email. `email`: the email address that the link was sent to or that it confirms. */
export type AccountTokensTable = {
  tokenHash: Buffer;
  userId: string;
  kind: 'verify' | 'reset' | 'change_email';
  email: string;
  createdAt: Generated<Date>;
  expiresAt: Date;
};

/**
 * An invitation that hasn't been accepted. `tokenHash`: hash of the token in the latest email's link, or null until
 * that email is sent. `role`: role of the account that is created, or null for none.
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

/** A task that the dispatcher runs for an account. An account can have only one open task of each kind. */
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

/** Counted attempts to guess a secret. `blocks`: number of consecutive blocks, each longer than the last. */
export type AttemptsTable = {
  subject: string;
  count: Generated<number>;
  blocks: Generated<number>;
  lastAt: Generated<Date>;
  blockedUntil: Date | null;
};

/**
 * A change by an administrator: who made it, what it was, and the values before and after. The database rejects changes
 * to rows.
 */
export type AuditsTable = {
  id: Generated<string>;
  /** Null for operators' commands, and after the administrator's account was deleted. */
  actorId: string | null;
  /** The administrator's role at that time. */
  role: Role | null;
  /** The administrator's masked email address. Kept when the account is deleted. */
  actorEmail: string | null;
  action: string;
  /** For example, `user:<id>` or `settings:<name>`. */
  subject: string;
  /** The account that the subject is or belongs to, even after its deletion. */
  accountId: string | null;
  before: JSONColumnType<Record<string, unknown>>;
  after: JSONColumnType<Record<string, unknown>>;
  reason: string | null;
  address: string | null;
  requestId: string | null;
  /** Error code, if the change was rejected. */
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
