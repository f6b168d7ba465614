import { poolFallbacks } from '@uprez/contracts/policy/admin/worker-pools';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import { newPoolSchema, type WorkerPool, type WorkerPools } from '@uprez/contracts/schemas/admin/workers';
import { Fragment, useState } from 'react';
import { Link } from 'react-router';
import { formatDuration } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FactGrid } from '../../../ui/layout/fact-grid.tsx';
import { ConfirmCallDialog, FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { PlanChoice } from '../../../ui/plans/plan-choice.tsx';
import { adminApi } from '../admin-api.ts';
import { userPath } from '../frame/admin-paths.ts';
import { useHasPermission } from '../frame/use-own-user.ts';
import { optionalReasonField } from './operation-messages.ts';
import { poolMessages as text } from './pool-messages.ts';
import { poolsKey, usePools } from './queries.ts';

type PoolDialogState = { kind: 'edit' | 'delete'; pool: WorkerPool } | { kind: 'create'; pool?: undefined };

export function PoolsCard() {
  const query = usePools();
  const mayOperate = useHasPermission('jobs.operate');
  const [chosen, setChosen] = useState<PoolDialogState>();
  const close = () => setChosen(undefined);
  return (
    <Card
      title={text.title}
      actions={
        mayOperate && (
          <Button look="secondary" size="small" onClick={() => setChosen({ kind: 'create' })}>
            {text.create}
          </Button>
        )
      }
    >
      <QueryView query={query} skeleton={<Skeleton className="h-24" />}>
        {({ shared, pools }) =>
          pools.length === 0 ? (
            <p className="text-muted text-sm">{text.none}</p>
          ) : (
            <ul className="divide-y divide-line">
              <li className="grid gap-2 pb-3">
                <span className="font-medium text-sm">{text.shared}</span>
                <FactGrid facts={loadFacts(shared)} />
              </li>
              {pools.map((pool) => (
                <PoolItem key={pool.name} pool={pool} onChoose={setChosen} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {chosen?.kind === 'delete' && <DeleteDialog pool={chosen.pool} onClose={close} />}
      {chosen && chosen.kind !== 'delete' && (
        <PoolDialog pool={chosen.pool} pools={query.data?.pools ?? []} onClose={close} />
      )}
    </Card>
  );
}

type Load = WorkerPools['shared'];

const loadFacts = ({ slots, running, waiting, oldestWaitS }: Load) =>
  [
    [text.slots, String(slots)],
    [text.running, String(running)],
    [text.waiting, String(waiting)],
    [text.oldestWait, oldestWaitS === null ? text.noWait : formatDuration(oldestWaitS * 1_000)],
  ] as const;

function AccountLinks({ accounts, accountCount }: Pick<WorkerPool, 'accounts' | 'accountCount'>) {
  return (
    <>
      {accounts.map(({ id, email, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Link to={userPath(id)} className="underline decoration-line underline-offset-4 hover:decoration-current">
            {name ?? email}
          </Link>
        </Fragment>
      ))}
      {accountCount > accounts.length && ` ${text.more(accountCount - accounts.length)}`}
    </>
  );
}

function PoolItem({ pool, onChoose }: { pool: WorkerPool; onChoose: (chosen: PoolDialogState) => void }) {
  const mayOperate = useHasPermission('jobs.operate');
  const { name, fallback, tiers, accountCount, workers } = pool;
  return (
    <li className="grid gap-2 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
          <span className="font-medium wrap-anywhere">{name}</span>
          <Badge kind={workers > 0 ? 'success' : 'warning'}>{workers > 0 ? text.live(workers) : text.noWorker}</Badge>
        </span>
        {mayOperate && (
          <span className="flex gap-2">
            <Button
              look="secondary"
              size="small"
              aria-label={text.editOf(name)}
              onClick={() => onChoose({ kind: 'edit', pool })}
            >
              {text.edit}
            </Button>
            <Button
              look="secondary"
              size="small"
              aria-label={text.removeOf(name)}
              onClick={() => onChoose({ kind: 'delete', pool })}
            >
              {text.remove}
            </Button>
          </span>
        )}
      </div>
      <FactGrid
        facts={[
          ...loadFacts(pool),
          [text.fallback, text.fallbacks[fallback]],
          [text.plans, tiers.map((tier) => currentPlans[tier].name).join(', ') || text.noPlans],
          [text.accounts, accountCount === 0 ? text.noPlans : <AccountLinks key="accounts" {...pool} />],
        ]}
      />
    </li>
  );
}

const DeleteDialog = ({ pool: { name }, onClose }: { pool: WorkerPool; onClose: () => void }) => (
  <ConfirmCallDialog
    text={{ ...text.removeDialog, title: text.removeDialog.title(name) }}
    call={() => adminApi.adminDeletePool({ params: { id: name } })}
    refreshes={[poolsKey]}
    failed={text.removeDialog.failed}
    done={text.removeDialog.done}
    onClose={onClose}
  />
);

const dialogText = text.dialog;

const fallbacks = poolFallbacks.map((value) => ({ value, label: text.fallbacks[value] }));

const MovedPlans = ({ pools, chosen }: { pools: readonly WorkerPool[]; chosen: readonly Tier[] }) =>
  pools.flatMap(({ name, tiers: held }) =>
    held
      .filter((tier) => chosen.includes(tier))
      .map((tier) => (
        <Notice key={tier} kind="warning">
          {dialogText.movesPlan(currentPlans[tier].name, name)}
        </Notice>
      )),
  );

type PoolDialogProps = { pool: WorkerPool | undefined; pools: readonly WorkerPool[]; onClose: () => void };

/** `pools`: all pools, because plans may be moved from them to this pool. */
const PoolDialog = ({ pool, pools, onClose }: PoolDialogProps) => (
  <FormCallDialog
    text={{ ...dialogText, title: pool ? dialogText.edit(pool.name) : dialogText.create }}
    schema={newPoolSchema}
    initial={{ name: pool?.name ?? '', fallback: pool?.fallback ?? 'outage', tiers: pool?.tiers ?? [] }}
    fields={(form) => [
      !pool && { name: 'name', label: dialogText.name, hint: dialogText.nameHint, autoComplete: 'off' },
      { kind: 'select', name: 'fallback', label: text.fallback, options: fallbacks },
      <PlanChoice
        label={dialogText.plans}
        hint={dialogText.plansHint}
        tiers={tiers}
        chosen={form.watch('tiers')}
        onChange={(held) => form.change({ tiers: held })}
      />,
      <MovedPlans pools={pools.filter(({ name }) => name !== pool?.name)} chosen={form.watch('tiers')} />,
      optionalReasonField,
    ]}
    call={({ name, ...body }) => adminApi.adminPutPool({ params: { id: name }, body })}
    refreshes={[poolsKey]}
    done={dialogText.done}
    onClose={onClose}
  />
);
