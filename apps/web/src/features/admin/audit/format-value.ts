import { type Role, roles } from '@uprez/contracts/policy/permissions';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans';
import { formatMoney } from '@uprez/contracts/texts/format';
import { formatTime } from '../../../lib/format/format.ts';
import { adminMessages } from '../messages.ts';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);
const isTier = (text: string): text is Tier => Object.hasOwn(currentPlans, text);

/** Fields of settings that are cents. */
const isCents = (field: string) => /^(engine hour costs|yearly|packs \d+ amount)/i.test(field);

/** The value of a field in words: times, amounts, roles, and plans by their name. Other texts stay as they are. */
export function formatValue(field: string, text: string): string {
  if (isoTime.test(text)) return formatTime(text);
  if (isCents(field) && /^\d+$/.test(text)) return formatMoney({ amount: Number(text), currency: 'usd' });
  if (/role$/i.test(field) && isRole(text)) return adminMessages.roles[text];
  return /(tier|plan)$/i.test(field) && isTier(text) ? currentPlans[text].name : text;
}
