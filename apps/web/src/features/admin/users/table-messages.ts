/** The table of users on the dashboard, and what the full list of users shares with it. */
export const userTableMessages = {
  title: 'User Management',
  subtitle: 'Manage user subscriptions and view user activity',
  caption: 'Users',
  search: 'Search by name or email',
  user: 'User',
  subscription: 'Subscription',
  images: 'Images This Month',
  calls: 'API Calls This Month',
  joined: 'Joined',
  anonymous: 'Anonymous User',
  administrator: 'Administrator',
  suspended: 'Suspended',
  changeTier: (user: string) => `Subscription of ${user}`,
  updated: { title: 'Success', description: 'User subscription updated successfully' },
  failed: { title: 'Error', description: 'Failed to update subscription' },
  empty: { title: 'No users yet', text: 'Users appear here when they sign up.' },
} as const;
