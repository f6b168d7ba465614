import { type Role, roles } from '@uprez/contracts/policy/permissions';
import { formatValue as formatText } from '@uprez/contracts/texts/describe-changes';
import { formatTime } from '../../../lib/format/format.ts';
import { adminMessages } from '../messages.ts';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

/** The value of a field in words: times, amounts, roles, plans, and IDs by their name. Other texts stay as they are. */
export function formatValue(field: string, text: string, names?: Readonly<Record<string, string>>): string {
  if (isoTime.test(text)) return formatTime(text);
  return /role$/i.test(field) && isRole(text) ? adminMessages.roles[text] : formatText(field, text, names);
}
