import type { SettingsVersionView } from '@uprez/contracts/schemas/settings-versions';
import { formatTime } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ChangesList } from '../audit/changes-list.tsx';
import { settingsMessages } from './messages.ts';

const text = settingsMessages.versions;

/** The changes as the audit log has them. Of secrets, only that they changed. */
const rowOf = (changes: SettingsVersionView['changes']) => ({
  before: Object.fromEntries(changes.flatMap(({ field, secret, before }) => (secret ? [] : [[field, before]]))),
  after: Object.fromEntries(changes.map(({ field, secret, after }) => [field, secret ? text.changed : after])),
});

function authorOf({ author, version }: SettingsVersionView): string {
  if (author) return author.email;
  return version === 0 ? text.system : text.someone;
}

type VersionCardProps = { version: SettingsVersionView; isCurrent: boolean; onRestore: (() => void) | undefined };

/** A version of settings: who changed what. */
export function VersionCard({ version, isCurrent, onRestore }: VersionCardProps) {
  const { changes, restoredFrom } = version;
  return (
    <Card
      title={version.version === 0 ? text.initial : text.version(version.version)}
      actions={
        <>
          {isCurrent && <Badge kind="success">{text.current}</Badge>}
          {onRestore && (
            <Button size="small" look="secondary" onClick={onRestore}>
              {text.restore}
            </Button>
          )}
        </>
      }
    >
      <p className="text-muted text-sm wrap-anywhere">
        {`${authorOf(version)}, `}
        <time dateTime={version.at}>{formatTime(version.at)}</time>
        {restoredFrom !== null && `. ${text.restored(restoredFrom)}`}
      </p>
      {changes.length > 0 && <ChangesList row={rowOf(changes)} shownChanges={changes.length} />}
    </Card>
  );
}
