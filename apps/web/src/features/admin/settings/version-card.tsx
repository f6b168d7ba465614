import type { SettingsVersionView } from '@uprez/contracts/schemas/settings-versions';
import { formatTime } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { settingsMessages } from './messages.ts';

const text = settingsMessages.versions;

/** A value as text. */
function format(value: unknown): string {
  if (value === '' || value === null || value === undefined) return text.empty;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

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
      {changes.length > 0 && (
        <dl className="grid gap-2 text-sm">
          {changes.map(({ field, secret, before, after }) => (
            <div key={field} className="grid gap-x-4 sm:grid-cols-[12rem_1fr]">
              <dt className="text-muted">
                <code>{field}</code>
              </dt>
              <dd className="wrap-anywhere">
                {secret ? (
                  text.changed
                ) : (
                  <>
                    <del className="text-muted">{format(before)}</del>{' '}
                    <ins className="no-underline">{format(after)}</ins>
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}
