import { limits } from '@uprez/contracts/policy/limits';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import type { User } from '@uprez/contracts/schemas/user';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { describeError } from '../../lib/api/api-errors.ts';
import { useSandboxSecret } from '../../lib/session/sandbox-secret.ts';
import { paths, signUpPath } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { RotationDialog } from '../../ui/overlays/form-dialog.tsx';
import { apiKeysMessages } from './messages.ts';
import { isCurrentTestKey, makeTestKeyBody } from './sandbox-key-card.tsx';
import { SecretPanel } from './secret-panel.tsx';
import { UnverifiedNotice } from './unverified-notice.tsx';
import { type KeyCreation, useApiKeys, useKeyCreation } from './use-api-keys.ts';

const { explorer: text, rotate: rotateText } = apiKeysMessages;
const overlapLimits = { default: limits.apiKeyOverlapHours, max: limits.apiKeyMaxOverlapHours };

function Row({ sentence, children }: { sentence: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="max-w-2xl text-pretty text-sm wrap-anywhere">{sentence}</p>
      {children}
    </div>
  );
}

type RotationProps = { former: ApiKeyView; rotate: KeyCreation['rotate']; onPaste: () => void };

/** Offers to paste or rotate an earlier key, because its secret was shown only once. */
function Rotation({ former, rotate, onPaste }: RotationProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Row sentence={text.unknown(former.keyPreview)}>
      <Button look="secondary" size="small" onClick={onPaste}>
        {text.paste}
      </Button>
      <Button look="secondary" size="small" onClick={() => setIsOpen(true)}>
        {rotateText.submit}
      </Button>
      {isOpen && (
        <RotationDialog
          title={rotateText.title(former.name)}
          text={rotateText}
          overlap={overlapLimits}
          rotate={(overlapHours) => rotate.mutateAsync({ former, overlapHours })}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Row>
  );
}

function Creation({ create }: { create: KeyCreation['create'] }) {
  return (
    <Row sentence={create.error ? describeError(create.error) : text.none}>
      <Button size="small" pending={create.isPending} onClick={() => create.mutate(makeTestKeyBody())}>
        {apiKeysMessages.sandbox.submit}
      </Button>
    </Row>
  );
}

function UserKey({ user, onPaste }: { user: User; onPaste: () => void }) {
  const { data: keys } = useApiKeys();
  const creation = useKeyCreation();
  const { known } = useSandboxSecret();
  if (!keys) return null;
  const current = keys.filter(isCurrentTestKey);
  const used = current.find(({ id }) => id === known?.keyId);
  const [former] = current;
  return (
    <>
      {used ? (
        <Row sentence={text.used(used.keyPreview)} />
      ) : former ? (
        <Rotation former={former} rotate={creation.rotate} onPaste={onPaste} />
      ) : user.emailVerified ? (
        <Creation create={creation.create} />
      ) : (
        <UnverifiedNotice />
      )}
      <SecretPanel creation={creation} />
    </>
  );
}

const signUpReturnPath = `${signUpPath}&next=${paths.reference}`;

/** Shows which key the API explorer sends. `onPaste`: shows the field for pasting an earlier key's secret. */
export function ExplorerKey({ user, onPaste }: { user: User | null; onPaste: () => void }) {
  return (
    <section aria-label={text.region} className="border-line border-b px-4 py-3 sm:px-6">
      {user ? (
        <UserKey user={user} onPaste={onPaste} />
      ) : (
        <Row sentence={text.visitor}>
          <Link to={signUpReturnPath} className={buttonStyle({ look: 'secondary', size: 'small' })}>
            {text.signUp}
          </Link>
        </Row>
      )}
    </section>
  );
}
