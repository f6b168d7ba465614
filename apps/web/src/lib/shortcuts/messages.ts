/** Texts of the list of shortcuts. */
export const keyboardMessages = {
  title: 'Keyboard shortcuts',
  open: 'Keyboard shortcuts',
  note: 'They rest while you type.',
  scopes: { everywhere: 'Everywhere', image: 'With an image', viewer: 'Before and after' },
  labels: {
    palette: 'Search pages and actions',
    sheet: 'Show this list',
    home: 'Go to the start page',
    dashboard: 'Go to the dashboard',
    toasts: 'Move to the notification',
    close: 'Close what is open, one layer at a time',
    upload: 'Choose an image',
    process: 'Process it',
    download: 'Download the result',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Fit the whole image',
    actual: 'One image pixel on one screen pixel',
    compare: 'Hold to see the original',
  },
} as const;
