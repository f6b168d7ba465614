export const consentMessages = {
  title: 'Cookies',
  question:
    'We\'d like to use cookies from Google to measure how our site is used. You can change your choice at any time in "Cookie settings" at the bottom of the page.',
  accept: 'Accept',
  decline: 'Decline',
  settings: 'Cookie settings',
};
