import type { IncidentState, ServiceState, Severity } from '@uprez/contracts/policy/status';
import { incidentStateNames, serviceStateNames, severityNames } from '@uprez/contracts/texts/status';
import type { ComponentProps } from 'react';
import { Badge } from '../feedback/badge.tsx';

type Kind = ComponentProps<typeof Badge>['kind'];

export const serviceKinds: Record<ServiceState, Kind> = {
  operational: 'success',
  degraded: 'warning',
  outage: 'danger',
  maintenance: 'info',
  unknown: 'neutral',
  unconfigured: 'neutral',
};

const severityKinds: Record<Severity, Kind> = {
  minor: 'neutral',
  major: 'warning',
  critical: 'danger',
  maintenance: 'info',
};

const incidentKinds: Record<IncidentState, Kind> = {
  investigating: 'danger',
  identified: 'warning',
  monitoring: 'info',
  resolved: 'success',
  scheduled: 'info',
  in_progress: 'warning',
  completed: 'success',
  canceled: 'neutral',
};

export const ServiceBadge = ({ state }: { state: ServiceState }) => (
  <Badge kind={serviceKinds[state]}>{serviceStateNames[state]}</Badge>
);

export const SeverityBadge = ({ severity }: { severity: Severity }) => (
  <Badge kind={severityKinds[severity]}>{severityNames[severity]}</Badge>
);

export const IncidentBadge = ({ state }: { state: IncidentState }) => (
  <Badge kind={incidentKinds[state]}>{incidentStateNames[state]}</Badge>
);
