import { imageUrls } from '@uprez/contracts/policy/image-urls';
import type { ImageUrlSettings } from '@uprez/contracts/schemas/image-url-settings';
import { useState } from 'react';
import { formatTime } from '../../lib/format/format.ts';
import { CopySecret } from '../../ui/code/copy-block.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { FactGrid } from '../../ui/layout/fact-grid.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { RotationDialog } from '../../ui/overlays/form-dialog.tsx';
import { imageUrlMessages as text } from './messages.ts';
import { SampleForm } from './sample-form.tsx';
import { SettingsForm } from './settings-form.tsx';
import { type ImageUrlChanges, useImageUrlChanges, useImageUrls } from './use-image-urls.ts';

const overlap = { default: imageUrls.overlapHours, max: imageUrls.maxOverlapHours };

type KeyProps = { settings: ImageUrlSettings; rotate: ImageUrlChanges['rotate'] };

/** The key ID and the age of the secret. */
function Key({ settings: { keyId, rotatedAt, formerUntil }, rotate }: KeyProps) {
  const [isRotating, setIsRotating] = useState(false);
  return (
    <div className="grid min-w-0 gap-4">
      <FactGrid
        facts={[
          [text.facts.keyId, <code key="keyId">{keyId}</code>],
          [text.facts.rotated, rotatedAt && formatTime(rotatedAt)],
          ...(formerUntil ? [[text.facts.former, formatTime(formerUntil)] as const] : []),
        ]}
      />
      <Button look="secondary" className="justify-self-start" onClick={() => setIsRotating(true)}>
        {text.rotate.action}
      </Button>
      {isRotating && (
        <RotationDialog
          title={text.rotate.title}
          text={text.rotate}
          overlap={overlap}
          rotate={rotate.mutateAsync}
          onClose={() => setIsRotating(false)}
        />
      )}
    </div>
  );
}

function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Dialog open onOpenChange={() => {}} title={text.secret.title} description={text.secret.text} wide locked>
      <CopySecret code={secret} label={text.secret.copy} />
      <Button className="sm:justify-self-end" onClick={onDone}>
        {text.secret.done}
      </Button>
    </Dialog>
  );
}

/** Image URLs of an account whose plan has the API. */
export function ImageUrlsCard() {
  const query = useImageUrls();
  const { secret, save, rotate, clear } = useImageUrlChanges();
  return (
    <Card title={text.title}>
      <p className="text-muted text-sm">{text.intro}</p>
      <QueryView query={query} skeleton={<Skeleton className="h-40" />}>
        {(settings) => (
          <>
            <SettingsForm settings={settings} save={save.mutateAsync} />
            {settings.isEnabled && settings.keyId !== null && (
              <>
                <Key settings={settings} rotate={rotate} />
                <SampleForm key={settings.hosts[0]} host={settings.hosts[0]} />
              </>
            )}
          </>
        )}
      </QueryView>
      {secret !== undefined && <Secret secret={secret} onDone={clear} />}
    </Card>
  );
}
