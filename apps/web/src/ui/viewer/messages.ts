export const viewerMessages = {
  region: 'Before and after',
  toolbar: 'Zoom and view',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  percent: 'Zoom in percent',
  fit: 'Fit',
  fitHint: 'Fit image to view',
  actual: '1:1',
  actualHint: 'Zoom to 100%',
  split: 'Side by side',
  slider: 'Divider',
  hold: 'Hold to show original',
} as const;
