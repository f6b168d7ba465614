import { hasPermission, roles } from '@uprez/contracts/policy/admin/permissions';
import { staffSorts } from '@uprez/contracts/policy/admin/tables';
import {
  type Recommendation,
  type RecommendationCode,
  recommendationCodes,
  recommendedSettings,
  type StaffMember,
} from '@uprez/contracts/schemas/admin/security';
import type { SecuritySettings } from '@uprez/contracts/schemas/admin/settings';
import { isSecureOrigin } from '@uprez/contracts/schemas/origin';
import { countOwners, countStaff, listStaff as listRows, type StaffRow } from '@uprez/db/queries/accounts/admin-users';
import { countAdminKeys } from '@uprez/db/queries/api-keys/admin-api-keys';
import { countUnattendedServiceKeys } from '@uprez/db/queries/api-keys/api-keys';
import type { Needs } from '../../context.ts';
import { defineTable } from '../../read-table.ts';
import { getSettings } from '../../settings/open-settings.ts';

const staff = defineTable({
  name: 'staff',
  sorts: staffSorts,
  list: listRows,
  count: countStaff,
  present: (rows) => rows.map(presentStaff),
});

/** Returns a page of administrators. Throws `invalid_parameter`. */
export const listStaff = staff.page;

/** Streams the administrators that match a filter, page by page. Throws `export_too_large`. */
export const exportStaff = staff.export;

const presentStaff = ({ id, firstName, lastName, email, role, ...row }: StaffRow): StaffMember => ({
  ...{ id, firstName, lastName, email, role },
  suspendedAt: row.suspendedAt?.toISOString() ?? null,
  lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  twoFactorEnabled: row.twoFactorAt !== null,
  createdAt: row.createdAt.toISOString(),
});

/** Undefined if a recommendation doesn't apply. */
type Values = Partial<Record<RecommendationCode, number | undefined>>;

function checkSettings(settings: SecuritySettings): Values {
  const { minPasswordLength, sessionTimeout, maxLoginAttempts, allowedOrigins } = settings;
  const insecure = allowedOrigins.filter((origin) => !isSecureOrigin(origin)).length;
  return {
    two_factor_optional: settings.requireTwoFactor ? undefined : 0,
    rate_limits_off: settings.rateLimitEnabled ? undefined : 0,
    short_passwords: minPasswordLength < recommendedSettings.minPasswordLength ? minPasswordLength : undefined,
    many_login_attempts: maxLoginAttempts > recommendedSettings.maxLoginAttempts ? maxLoginAttempts : undefined,
    long_sessions: sessionTimeout > recommendedSettings.sessionTimeout ? sessionTimeout : undefined,
    insecure_origins: insecure || undefined,
  };
}

/** Returns the security recommendations that currently apply, most important first. */
export async function readRecommendations(ctx: Needs<'db' | 'settings'>): Promise<Recommendation[]> {
  const managers = roles.filter((role) => hasPermission(role, 'keys.manage'));
  const [settings, withoutTwoFactor, owners, unusedKeys, unattended] = await Promise.all([
    getSettings(ctx, 'security'),
    countStaff(ctx.db, { twoFactor: 'off' }),
    countOwners(ctx.db),
    countAdminKeys(ctx.db, { status: 'unused' }),
    countUnattendedServiceKeys(ctx.db, managers),
  ]);
  const values: Values = {
    ...checkSettings(settings),
    staff_without_two_factor: withoutTwoFactor || undefined,
    single_owner: owners === 1 ? owners : undefined,
    unused_keys: unusedKeys || undefined,
    unattended_service_keys: unattended || undefined,
  };
  return recommendationCodes.flatMap((code) => {
    const value = values[code];
    return value === undefined ? [] : [{ code, value }];
  });
}
