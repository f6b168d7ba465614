export const forgotPasswordMessages = {
  lead: "Enter your email address. We'll send you a link to reset your password.",
  submit: 'Send Reset Link',
  pending: 'Sending...',
  back: 'Back',
  sent: 'Password Reset Sent',
  failed: 'Error',
} as const;

export const resetPasswordMessages = {
  title: 'Reset your password',
  newPassword: 'New Password',
  confirmPassword: 'Confirm Password',
  submit: 'Reset Password',
  pending: 'Resetting Password...',
  back: 'Back to Login',
  hint: (length: number) => `Use at least ${length} characters.`,
  tooShort: 'Password Too Short',
  tooShortText: (length: number) => `Password must be at least ${length} characters long`,
  mismatch: { title: "Passwords Don't Match", description: 'Please ensure both password fields match' },
  failed: 'Password Reset Failed',
  done: 'Password Reset Successful',
  doneText: 'Redirecting you to sign in with your new password.',
  goToLogin: 'Go to Login',
  invalid: 'Invalid Reset Link',
  invalidText: 'This link has expired, was already used, or is incomplete.',
  noToken: 'No reset token found in the URL',
  askNew: 'Request a new link',
} as const;
