export const consentMessages = {
  title: 'Cookies',
  question:
    'We use Google Analytics to see how our site is used. It sets cookies. You can change your choice at any time.',
  accept: 'Accept',
  decline: 'Decline',
  settings: 'Cookie settings',
};
