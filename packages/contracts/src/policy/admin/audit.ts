/** Outcomes of an audited write: done, or rejected by a rule. */
export const auditOutcomes = ['done', 'rejected'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** Sort orders of the audit log. A minus means descending. The first one is the default. */
export const auditSorts = ['-created', 'created'] as const;
export type AuditSort = (typeof auditSorts)[number];
