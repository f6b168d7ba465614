import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans';
import { type PoolFallback, poolFallbacks } from '@uprez/contracts/policy/worker-pools';
import { newPoolSchema, type WorkerPool } from '@uprez/contracts/schemas/admin-pools';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { emptyAsUndefined, useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { PlanChoice } from '../../../ui/plans/plan-choice.tsx';
import { adminApi } from '../admin-api.ts';
import { poolMessages } from './pool-messages.ts';
import { poolsKey } from './queries.ts';
import { ReasonField } from './reason-field.tsx';

const text = poolMessages.dialog;
const fallbacks = poolFallbacks.map((value) => ({ value, label: poolMessages.fallbacks[value] }));

type Values = { name: string; fallback: PoolFallback; tiers: Tier[]; reason?: string | undefined };

/** Creates a pool, or changes `pool`. `pools`: all, whose plans may move here. */
export function PoolDialog({
  pool,
  pools,
  onClose,
}: {
  pool: WorkerPool | undefined;
  pools: readonly WorkerPool[];
  onClose: () => void;
}) {
  const put = useResourceMutation({
    call: ({ name, ...body }: Values) => adminApi.adminPutPool({ params: { id: name }, body }),
    invalidates: [poolsKey],
  });
  const form = useApiForm<Values>({
    schema: newPoolSchema,
    defaultValues: { name: pool?.name ?? '', fallback: pool?.fallback ?? 'outage', tiers: pool?.tiers ?? [] },
    send: async (values) => {
      await put.mutateAsync(values);
      showToast({ title: text.done });
      onClose();
    },
  });
  const chosen = form.watch('tiers');
  const moved = pools
    .filter(({ name }) => name !== pool?.name)
    .flatMap(({ name, tiers: held }) => held.filter((tier) => chosen.includes(tier)).map((tier) => ({ name, tier })));
  return (
    <FormDialog
      title={pool ? text.edit(pool.name) : text.create}
      description={text.text}
      form={form}
      text={text}
      onClose={onClose}
    >
      {!pool && <TextField label={text.name} hint={text.nameHint} autoComplete="off" {...form.field('name')} />}
      <Select
        label={poolMessages.fallback}
        options={fallbacks}
        value={form.watch('fallback')}
        onChange={(fallback) => form.change({ fallback })}
      />
      <PlanChoice
        label={text.plans}
        hint={text.plansHint}
        tiers={tiers}
        chosen={chosen}
        onChange={(held) => form.change({ tiers: held })}
      />
      {moved.map(({ name, tier }) => (
        <Notice key={tier} kind="warning">
          {text.movesPlan(currentPlans[tier].name, name)}
        </Notice>
      ))}
      <ReasonField {...form.field('reason', emptyAsUndefined)} />
    </FormDialog>
  );
}
