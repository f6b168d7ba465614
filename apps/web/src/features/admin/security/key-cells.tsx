import type { AdminApiKey } from '@uprez/contracts/schemas/security/admin-api-keys';
import { Link } from 'react-router';
import { Switch } from '../../../ui/controls/switch.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { userPath } from '../frame/user-path.ts';
import { keyMessages as text } from './key-messages.ts';
import { useToggleKey } from './use-admin-keys.ts';

type Row = { row: AdminApiKey };

export const KeyNameCell = ({ row: { name, kind } }: Row) => (
  <span className="grid">
    <span className="font-medium">{name}</span>
    <span className="text-muted text-xs">{text.kinds[kind]}</span>
  </span>
);

/** The account of a key with a link to its page, or that it is a service key, and of whom. */
export function OwnerCell({ row: { owner, creator } }: Row) {
  const note = owner ? owner.name && owner.email : creator && text.createdBy(creator.email);
  return (
    <span className="grid justify-items-end sm:justify-items-start">
      {owner ? (
        <Link
          to={userPath(owner.id)}
          className="rounded-control underline decoration-line underline-offset-4 hover:decoration-current"
        >
          {owner.name ?? owner.email}
        </Link>
      ) : (
        text.service
      )}
      {note && <span className="text-muted text-xs">{note}</span>}
    </span>
  );
}

/** Whether a key works, with a switch. Expired keys can't be switched. */
export function KeyStatusCell({ row: { id, name, isActive, isExpired } }: Row) {
  const toggle = useToggleKey(id);
  if (isExpired) return <Badge kind="neutral">{text.statuses.expired}</Badge>;
  return (
    <span className="inline-flex items-center gap-2">
      <Switch label={text.toggle(name)} labelHidden checked={isActive} onChange={(on) => toggle.mutate(on)} />
      <Badge kind={isActive ? 'success' : 'neutral'}>{isActive ? text.statuses.active : text.statuses.inactive}</Badge>
    </span>
  );
}
