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
  tokenHelp:
    'Paste the link that the server printed when it started, or the token at its end. On the server, ./parley set-up-link prints the link again.',
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

export const profile = {
  signedInAs: 'You are signed in as {{user}}.',
  sessions: 'Sessions',
  sessionsText: 'Where you are signed in. End what you do not know, and change your password.',
  thisSession: 'This browser',
  device: '{{program}} on {{system}}',
  unknownDevice: 'Unknown program',
  lastUsed: 'last used',
  signedIn: 'signed in',
  endSession: 'End session',
  endOthers: 'End all other sessions',
  endOthersText: 'Every other browser and program that signed in with your password has to sign in again.',
  sessionEnded: 'The session was ended.',
  othersEnded: 'All other sessions were ended.',
  password: 'Password',
  passwordText:
    'A new password ends all sessions. This browser is signed in again at once; all others have to sign in.',
  currentPassword: 'Current password',
  changePassword: 'Change password',
  passwordChanged: 'The password was changed. All other sessions have ended.',
  passwordWrong: 'This is not the current password.',
  passwordLocked: 'The operator of this server does not allow passwords to be changed here.',
  recoveryText:
    'You were shown it once, when the account was made or the password was last reset. A key that was used is replaced by a new one.',
  recoveryLink: 'Use the recovery key: new password and new key',
  appearance: 'Appearance',
  appearanceText: 'Kept in this browser.',
};

export const secondFactor = {
  code: 'Code',
  codeHelp: 'From your authenticator app, or a recovery code.',
  signCode: 'Two-factor authentication',
  signCodeIntro: 'Your password is right. Now enter a code.',
  back: 'Use another account',
  sf: 'Two-factor authentication',
  sfText: 'Signing in then takes a code of an authenticator app beside your password.',
  off: 'Two-factor authentication is off.',
  on: 'Two-factor authentication is on since {{date}}.',
  left_one: '{{count}} recovery code is left.',
  left_other: '{{count}} recovery codes are left.',
  setUp: 'Set up',
  turnOff: 'Turn off',
  next: 'Continue',
  scan: 'Scan this QR code with an authenticator app, then enter the code that it shows.',
  scanLabel: 'QR code for an authenticator app',
  manual: 'Or enter this key in the app',
  copyKey: 'Copy key',
  copiedKey: 'Key copied',
  turnOn: 'Turn on',
  passwordFirst: 'Enter your password to add an authenticator app.',
  saveTitle: 'Save your recovery codes',
  saveText: 'Each code signs you in once when you do not have your authenticator app. They are shown only now.',
  copyCodes: 'Copy codes',
  copiedCodes: 'Codes copied',
  codes: 'Recovery codes',
  turnedOff: 'Two-factor authentication is off',
  turnOffText: 'Signing in will take your password alone.',
};

export const identity = {
  signInWith: 'Continue with {{name}}',
  title: 'Single sign-on',
  text: 'Sign in with {{name}} instead of your password.',
  link: 'Link with {{name}}',
  unlink: 'Remove link',
  linked: 'Linked since {{date}}.',
  noPassword: 'This account has no password. It signs in with the identity provider.',
};
