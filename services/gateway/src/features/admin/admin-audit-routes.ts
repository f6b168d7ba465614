import type { AuditEntryView } from '@uprez/contracts/schemas/admin/logs';
import { describeAction, describeSubject } from '@uprez/contracts/texts/admin/audit-actions';
import { describeChanges, formatChange } from '@uprez/contracts/texts/admin/describe-changes';
import { exportAudits, listAudits } from '@uprez/domain/admin/audit/list-audits';
import type { Deps } from '../../deps.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { type ExportColumns, sendExport } from './send-export.ts';

const actorTexts = { account: null, deleted: 'Deleted administrator', operator: 'Operator command' } as const;

const auditColumns: ExportColumns<'audits', AuditEntryView> = {
  action: {
    id: ({ id }) => id,
    action: ({ action }) => action,
    description: ({ action }) => describeAction(action),
    rejected: ({ rejected }) => rejected,
  },
  actor: {
    actor: ({ actor }) => actor.id ?? actorTexts[actor.kind],
    actor_email: ({ actor }) => actor.email,
    actor_name: ({ actor }) => actor.name,
    role: ({ role }) => role,
  },
  subject: {
    subject: ({ subject: { kind, id } }) => [kind, id].filter(Boolean).join(':'),
    subject_description: ({ subject }) => describeSubject(subject),
    subject_account: ({ subject }) => subject.accountId,
    subject_email: ({ subject }) => subject.email,
    subject_name: ({ subject }) => subject.name,
  },
  changes: {
    changes: (row) =>
      describeChanges(row)
        .map((change) => formatChange(change, row.names))
        .join('\n') || null,
    before: ({ before }) => before,
    after: ({ after }) => after,
  },
  reason: { reason: ({ reason }) => reason },
  source: { ip_address: ({ address }) => address, request_id: ({ requestId }) => requestId },
  time: { time: ({ createdAt }) => createdAt },
};

export const adminAuditHandlers = (deps: Deps) =>
  defineHandlers({
    adminListAudits: async (request, reply) => rowsOfPage(reply, await listAudits(deps, request.query)),
    adminExportAudits: async (request, reply) => {
      const pages = await exportAudits(deps, request.query);
      return sendExport(reply, { name: 'audits', columns: auditColumns, pages, query: request.query });
    },
  });
