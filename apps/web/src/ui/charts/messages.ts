/** Texts of day charts. */
export const dayChartMessages = {
  view: 'Show as',
  views: { chart: 'Chart', table: 'Table' },
  day: 'Day',
  loading: 'Loading the chart',
  quiet: 'Nothing happened on these days.',
} as const;
