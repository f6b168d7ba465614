import { useState } from 'react';
import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { Switch } from '../../../ui/controls/switch.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { useMay } from '../frame/use-may.ts';
import { priceMessages } from './messages.ts';
import { useSavePrices } from './use-prices.ts';

const text = priceMessages.tax;

/** Whether tax is added to prices. A change is confirmed before it is saved. */
export function TaxCard({ collectsTax }: { collectsTax: boolean }) {
  const mayManage = useMay('payments.manage');
  const [next, setNext] = useState<boolean>();
  const save = useSavePrices(() => setNext(undefined), text.saved);
  const confirm = () =>
    next !== undefined &&
    save.mutate((stored) => ({ ...stored, collectsTax: next }), {
      onError: (error) => showErrorToast(text.failed, error),
    });
  return (
    <Card title={text.title}>
      <p className="text-muted text-sm">{text.text}</p>
      <Switch label={text.label} checked={collectsTax} onChange={setNext} disabled={!mayManage} />
      <p className="text-muted text-sm">{text.setup}</p>
      <p className="text-muted text-sm">{text.scope}</p>
      {next !== undefined && (
        <ConfirmDialog
          open
          onOpenChange={() => setNext(undefined)}
          title={next ? text.onTitle : text.offTitle}
          text={
            <div className="grid gap-2">
              <p>{next ? text.setup : text.off}</p>
              {next && <p>{text.scope}</p>}
            </div>
          }
          confirm={next ? text.on : text.stop}
          pending={save.isPending}
          onConfirm={confirm}
        />
      )}
    </Card>
  );
}
