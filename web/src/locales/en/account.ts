export const account = {
  user: 'E-mail or user name',
  password: 'Password',
  newPassword: 'New password',
  repeatPassword: 'Repeat password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  passwordRule: 'At least 8 characters.',
  passwordTooShort: 'Use at least 8 characters.',
  passwordsDiffer: 'The two passwords are not the same.',
  required: 'Please fill this in.',
};

export const setUp = {
  title: 'Welcome to Parley',
  introduction: 'Create the first account. It can manage everything on this server.',
  token: 'Set-up token',
  tokenHelp: 'The server printed it in its log when it started.',
  submit: 'Create account',
};

export const recovery = {
  title: 'Save your recovery key',
  introduction: 'It is the only way back in if you forget your password. It is shown once and never again.',
  key: 'Recovery key',
  copy: 'Copy',
  copied: 'Copied',
  saved: 'I have saved it',
};

export const signIn = {
  title: 'Sign in',
  introduction: 'Welcome back.',
  expired: 'Your session has ended. Please sign in again.',
  submit: 'Sign in',
  forgot: 'Forgot your password?',
  wait_one: 'Too many attempts. Try again in {{count}} second.',
  wait_other: 'Too many attempts. Try again in {{count}} seconds.',
};

export const reset = {
  title: 'Reset your password',
  introduction: 'Use the recovery key you saved. You will get a new one.',
  submit: 'Set new password',
  back: 'Back to sign in',
  invalid: 'The account or the recovery key is not right.',
};
