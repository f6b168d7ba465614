import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const maintenance = ['scheduled', 'in_progress', 'completed'];
const others = ['investigating', 'identified', 'monitoring', 'resolved'];
const listOf = (states: readonly string[]) => `(${states.map((state) => `'${state}'`).join(', ')})`;

/** Replaces the checks of the states of incidents. */
const allow = (states: readonly string[]) => [
  'alter table incidents drop constraint incidents_state_check, drop constraint incidents_check1',
  `/* locks: incidents has few rows */ alter table incidents add constraint incidents_state_check check (state in ${listOf([...others, ...states])}),
    add constraint incidents_check1 check ((severity = 'maintenance') = (state in ${listOf(states)}))`,
];

/** Maintenance can be canceled before it starts. */
export const canceledMaintenance: Migration = {
  up: runAll(allow([...maintenance, 'canceled'])),
  down: runAll([`update incidents set state = 'completed' where state = 'canceled'`, ...allow(maintenance)]),
};
