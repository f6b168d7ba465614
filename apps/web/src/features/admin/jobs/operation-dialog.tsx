import type { EngineName } from '@uprez/contracts/policy/engines';
import { retryJobBodySchema } from '@uprez/contracts/schemas/admin-jobs';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { emptyAsUndefined, useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { operationMessages } from './operation-messages.ts';
import { overviewKey } from './queries.ts';
import { ReasonField } from './reason-field.tsx';

/** A change of what starts. `workers`: how many live workers have the name. */
export type Operation =
  | { kind: 'pause' | 'resume'; name: EngineName }
  | { kind: 'drainAll' | 'resumeAll'; name?: undefined }
  | { kind: 'drain' | 'resumeWorker'; name: string; workers: number };

type Reason = { reason?: string | undefined };

function send({ kind, name }: Operation, body: Reason) {
  if (name === undefined) return adminApi.adminDrainWorkers({ body: { draining: kind === 'drainAll', ...body } });
  const params = { id: name };
  return kind === 'pause' || kind === 'resume'
    ? adminApi.adminPauseEngine({ params, body: { paused: kind === 'pause', ...body } })
    : adminApi.adminDrainWorker({ params, body: { draining: kind === 'drain', ...body } });
}

const stopping: readonly Operation['kind'][] = ['pause', 'drainAll', 'drain'];

/** The consequence of an operation. Workers of one name are drained together. */
export function describeOperation(operation: Operation): string {
  const { description } = operationMessages[operation.kind];
  if (!('workers' in operation) || operation.workers < 2) return description;
  return `${description} ${operationMessages.shared(operation.workers, operation.name)}`;
}

/** States the consequence of an operation, and takes a reason. If another administrator was first, it says so. */
export function OperationDialog({ operation, onClose }: { operation: Operation; onClose: () => void }) {
  const { kind, name = '' } = operation;
  const text = operationMessages[kind];
  const operate = useResourceMutation({
    call: (body: Reason) => send(operation, body),
    invalidates: [overviewKey],
  });
  const form = useApiForm<Reason>({
    schema: retryJobBodySchema,
    defaultValues: {},
    send: async (body) => {
      try {
        await operate.mutateAsync(body);
        showToast({ title: text.done });
      } catch (error) {
        if (!hasErrorCode(error, 'operations_changed')) throw error;
        showToast({ ...operationMessages.changed, destructive: true });
      }
      onClose();
    },
  });
  return (
    <FormDialog
      title={text.title(name)}
      description={describeOperation(operation)}
      form={form}
      text={text}
      look={stopping.includes(kind) ? 'danger' : 'primary'}
      onClose={onClose}
    >
      <ReasonField {...form.field('reason', emptyAsUndefined)} />
    </FormDialog>
  );
}
