import type { ApiKeyStatus } from '@uprez/contracts/policy/admin/tables';
import { limits } from '@uprez/contracts/policy/limits';
import type { AnyKeyKind } from '@uprez/contracts/policy/sandbox';

const kinds: Record<AnyKeyKind, string> = { live: 'Live', test: 'Sandbox', service: 'Service' };
const statuses: Record<ApiKeyStatus, string> = {
  active: 'Active',
  inactive: 'Inactive',
  expired: 'Expired',
  unused: `Unused for ${limits.apiKeyUnusedDays} days`,
};

/** Texts of the API keys of all accounts. */
export const keyMessages = {
  title: 'API Keys',
  subtitle: 'Keys of all accounts, and service keys of this installation',
  caption: 'API keys',
  search: 'Search keys and owners',
  filters: {
    status: { label: 'Status', all: 'All statuses', names: statuses },
    kind: { label: 'Type', all: 'All types', names: kinds },
  },
  name: 'Name',
  owner: 'Owner',
  preview: 'Key Preview',
  status: 'Status',
  usage: 'Usage (calls)',
  used: 'Last Used',
  created: 'Created',
  never: 'Never',
  kinds,
  statuses,
  service: 'Service key',
  createdBy: (email: string) => `Created by ${email}`,
  toggle: (name: string) => `Active: ${name}`,
  empty: { title: 'No API keys yet', text: 'Keys appear here when users create them.' },
  success: 'Success',
  error: 'Error',
  createDone: 'API key created successfully',
  createFailed: 'Failed to create API key',
  updated: 'API key updated successfully',
  updateFailed: 'Failed to update API key',
  copied: 'API key copied to clipboard',
  create: {
    open: 'Create service key',
    title: 'Create service key',
    text: 'For programs such as a monitor. Its scope admin:read can only read the totals at GET /v1/admin/stats.',
    name: 'Name',
    submit: 'Create key',
    pending: 'Creating...',
  },
  remove: {
    action: 'Delete key',
    title: (name: string) => `Delete "${name}"?`,
    text: (preview: string) => `Requests with ${preview} will fail immediately. This can't be undone.`,
    confirm: 'Delete key',
    failed: 'Failed to delete API key',
    done: (name: string) => `"${name}" was deleted`,
  },
} as const;
