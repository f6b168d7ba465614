import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type AssignedPool, assignPoolBodySchema, type WorkerPools } from '@uprez/contracts/schemas/admin-pools';
import { useState } from 'react';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { emptyAsUndefined, useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { hasShownError, QueryError } from '../../../ui/feedback/query-error.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { useMay } from '../frame/use-may.ts';
import { poolMessages } from '../jobs/pool-messages.ts';
import { ReasonField } from '../jobs/reason-field.tsx';
import { userKeyOf } from './queries.ts';

const text = poolMessages.account;
/** Stands for the pool of the plan in the list of pools; no pool has this name. */
const asPlan = 'shared';

type Values = { pool: string | null; reason?: string | undefined };

function AssignDialog({ user, held, onClose }: { user: Named; held: AssignedPool; onClose: () => void }) {
  const { data } = useQuery<WorkerPools>({ queryKey: [adminRoutes.adminListPools.path] });
  const assign = useResourceMutation({
    call: (body: Values) => adminApi.adminSetUserPool({ params: { id: user.id }, body }),
    invalidates: [userKeyOf(user.id), [adminRoutes.adminListPools.path]],
  });
  const form = useApiForm<Values>({
    schema: assignPoolBodySchema,
    defaultValues: { pool: held.pool },
    send: async (values) => {
      await assign.mutateAsync(values);
      showToast({ title: text.done });
      onClose();
    },
  });
  const options = [
    { value: asPlan, label: held.planPool === null ? text.plan : text.planPool(held.planPool) },
    ...(data?.pools ?? []).map(({ name }) => ({ value: name, label: name })),
  ];
  return (
    <FormDialog title={text.title(user.email)} description={text.text} form={form} text={text} onClose={onClose}>
      <Select
        label={text.label}
        options={options}
        value={form.watch('pool') ?? asPlan}
        onChange={(pool) => form.change({ pool: pool === asPlan ? null : pool })}
      />
      <ReasonField {...form.field('reason', emptyAsUndefined)} />
    </FormDialog>
  );
}

type Named = { id: string; email: string };

/** The pool whose workers process the images of a user, and a button to assign one. */
export function PoolFact({ user }: { user: Named }) {
  const query = useQuery<AssignedPool>({ queryKey: userKeyOf(user.id, 'pool'), refetchOnMount: 'always' });
  const mayManage = useMay('users.manage');
  const mayReadPools = useMay('jobs.read');
  const [isOpen, setOpen] = useState(false);
  const { data } = query;
  if (hasShownError(query)) return <QueryError query={query} />;
  if (!data) return '...';
  const { pool, planPool } = data;
  const shown = pool === null ? (planPool === null ? text.none : text.byPlan(planPool)) : text.own(pool);
  return (
    <span className="flex flex-wrap items-center gap-3">
      <span>{shown}</span>
      {mayManage && mayReadPools && (
        <Button look="secondary" size="small" onClick={() => setOpen(true)}>
          {text.change}
        </Button>
      )}
      {isOpen && <AssignDialog user={user} held={data} onClose={() => setOpen(false)} />}
    </span>
  );
}
