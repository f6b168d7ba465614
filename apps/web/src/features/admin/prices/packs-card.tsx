import type { PackCard } from '@uprez/contracts/schemas/plan-card';
import type { Pack } from '@uprez/contracts/schemas/settings';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { packMessages } from '../../../ui/plans/pack-messages.ts';
import { useMay } from '../frame/use-may.ts';
import { priceMessages } from './messages.ts';
import { PackDialog } from './pack-dialog.tsx';
import { SaleBadge } from './sale-badge.tsx';
import { findPackState } from './sale-state.ts';
import { useSavePrices } from './use-prices.ts';

const text = priceMessages.packs;

function RemoveDialog({ pack, onClose }: { pack: Pack; onClose: () => void }) {
  const save = useSavePrices(onClose);
  const remove = () =>
    save.mutate((stored) => ({ ...stored, packs: stored.packs.filter(({ key }) => key !== pack.key) }), {
      onError: (error) => showErrorToast(priceMessages.failed, error),
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.removeTitle(pack)}
      text={text.removeText}
      confirm={text.remove}
      pending={save.isPending}
      onConfirm={remove}
    />
  );
}

/** The packs that are sold. `cards`: those that customers can buy now. */
export function PacksCard({ packs, cards }: { packs: readonly Pack[]; cards: readonly PackCard[] }) {
  const mayManage = useMay('payments.manage');
  const [edited, setEdited] = useState<Pack | null>();
  const [removed, setRemoved] = useState<Pack>();
  const addButton = (
    <Button look="secondary" onClick={() => setEdited(null)}>
      <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.add}
    </Button>
  );
  return (
    <Card title={text.title} actions={mayManage && addButton}>
      <p className="text-muted text-sm">{text.text}</p>
      {packs.length === 0 && <EmptyState {...text.empty} />}
      {packs.length > 0 && (
        <ul aria-label={text.title} className="divide-y divide-line border-line border-y">
          {packs.map((pack) => (
            <li key={pack.key} className="flex items-center justify-between gap-3 py-2">
              <span className="grid min-w-0 text-sm tabular-nums">
                <span className="font-medium">{packMessages.name(pack)}</span>
                <span className="text-muted">{text.price(pack.amount)}</span>
              </span>
              <span className="flex items-center gap-2">
                <SaleBadge state={findPackState(pack, cards)} />
                {mayManage && (
                  <ActionsMenu
                    label={text.actions(pack)}
                    items={[
                      { label: text.edit, icon: Pencil, onSelect: () => setEdited(pack) },
                      { label: text.remove, icon: Trash2, danger: true, onSelect: () => setRemoved(pack) },
                    ]}
                  />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {edited !== undefined && <PackDialog pack={edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveDialog pack={removed} onClose={() => setRemoved(undefined)} />}
    </Card>
  );
}
