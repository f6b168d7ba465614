export const dashboardMessages = {
  tabs: { label: 'Dashboard', processor: 'Image Processor', activity: 'Recent Activity', 'api-keys': 'API Keys' },
  stats: {
    label: 'This month',
    imagesProcessed: 'Images processed',
    apiCalls: 'API calls',
    avgProcessingTime: 'Average time',
    storage: 'Storage',
    notes: {
      imagesProcessed: 'Images processed in the web app this month',
      apiCalls: 'Images processed through the API this month, without the sandbox',
      avgProcessingTime: 'Average processing time this month, without waiting',
    },
    none: '-',
    change: (percent: string) => `${percent}%`,
    than: (previous: string) => `from ${previous}`,
    comparison: (current: string, previous: string) => `${current} this month, ${previous} in the previous period`,
    storageUse: (limit: string) => `of ${limit}. Includes results and uploads in progress.`,
  },
  quota: { title: 'Usage this period', units: 'View credit history' },
} as const;
