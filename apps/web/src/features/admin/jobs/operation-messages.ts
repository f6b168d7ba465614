import { emptyAsUndefined } from '../../../lib/forms/use-api-form.ts';

const auditHint = "For the audit log. Users don't see it.";

export const reasonText = { label: 'Reason', hint: auditHint, optional: 'optional' } as const;

export const optionalReasonField = {
  name: 'reason',
  rules: emptyAsUndefined,
  autoComplete: 'off',
  ...reasonText,
} as const;

/** `name`: the name of the engine or worker. */
export const operationMessages = {
  pause: {
    title: (name: string) => `Pause ${name}`,
    description: 'New jobs of this engine wait until you resume it, and users see a notice. Running jobs finish.',
    submit: 'Pause engine',
    pending: 'Pausing...',
    done: 'Engine paused',
  },
  resume: {
    title: (name: string) => `Resume ${name}`,
    description: 'Waiting jobs of this engine start again.',
    submit: 'Resume engine',
    pending: 'Resuming...',
    done: 'Engine resumed',
  },
  drainAll: {
    title: () => 'Drain all workers',
    description: 'Running jobs finish, and no other job starts. All new images wait until you resume the workers.',
    submit: 'Drain all workers',
    pending: 'Draining...',
    done: 'All workers drained',
  },
  resumeAll: {
    title: () => 'Resume all workers',
    description: 'Waiting jobs start again. Workers that were drained by name stay drained.',
    submit: 'Resume all workers',
    pending: 'Resuming...',
    done: 'All workers resumed',
  },
  drain: {
    title: (name: string) => `Drain ${name}`,
    description: 'The worker finishes its running jobs and starts no new ones. It stays drained after a restart.',
    submit: 'Drain worker',
    pending: 'Draining...',
    done: 'Worker drained',
  },
  resumeWorker: {
    title: (name: string) => `Resume ${name}`,
    description: 'The worker starts waiting jobs again.',
    submit: 'Resume worker',
    pending: 'Resuming...',
    done: 'Worker resumed',
  },
  shared: (workers: number, name: string) => `This applies to all ${workers} workers named ${name}.`,
  changed: {
    title: 'Nothing changed',
    description: 'Another administrator made this change first. The page shows the current state.',
  },
} as const;
