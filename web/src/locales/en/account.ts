export const account = {
  user: 'E-mail or user name',
  password: 'Password',
  newPassword: 'New password',
  repeatPassword: 'Repeat password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  passwordRule: 'At least 8 characters.',
  passwordTooShort: 'Use at least 8 characters.',
  passwordsDiffer: "The passwords don't match.",
  required: 'Required.',
};

export const setUp = {
  title: 'Welcome to Parley',
  introduction: 'Create the first account. It is an admin of this installation.',
  token: 'Set-up token',
  tokenHelp:
    'Paste the link that the server printed when it started, or the token at its end. On the server, ./parley set-up-link prints the link again.',
  submit: 'Create account',
};

export const recovery = {
  title: 'Save your recovery key',
  introduction: 'Use it to set a new password if you forget yours. It is shown only once.',
  key: 'Recovery key',
  copy: 'Copy',
  copied: 'Copied',
  download: 'Download',
  saved: "I've saved it",
  file:
    'Parley recovery key\n\n' +
    'Address: {{address}}\nUser name: {{user}}\nRecovery key: {{key}}\nCreated: {{date}}\n\n' +
    'If you forget your password, open {{link}} and enter the user name and this key.\n' +
    'The key works once; you then get a new one.\n' +
    'Without it, an operator can reset the password on the server: ./parley user reset-password\n\n' +
    'Keep this file where only you can read it.\n',
  leave: 'Leave without saving it?',
  leaveText: 'It is not shown again.',
  createdAt: 'Created {{date}}.',
  noDate: 'No creation date is recorded.',
  create: 'Create a new key',
  createText: 'The previous key stops working.',
  createConfirm: 'Create key',
};

export const signIn = {
  tooManyAttempts: 'Too many attempts. Please wait and try again.',
  title: 'Sign in',
  introduction: 'Welcome back.',
  expired: 'Your session has ended. Please sign in again.',
  againTitle: 'Your session has ended',
  againText: 'Sign in again to continue. What you typed is kept.',
  discard: 'Sign out and discard changes',
  submit: 'Sign in',
  forgot: 'Forgot your password?',
  wait_one: 'Too many attempts. Try again in {{count}} second.',
  wait_other: 'Too many attempts. Try again in {{count}} seconds.',
};

export const reset = {
  title: 'Reset your password',
  introduction: 'Enter the recovery key you saved. You will get a new one.',
  submit: 'Set new password',
  back: 'Back to sign in',
  invalid: 'Wrong user name or recovery key.',
};

export const profile = {
  signedInAs: 'Signed in as {{user}}.',
  sessions: 'Sessions',
  sessionsText: "Where you are signed in. Sign out sessions you don't recognize, then change your password.",
  thisSession: 'This browser',
  device: '{{program}} on {{system}}',
  unknownDevice: 'Unknown device',
  lastUsed: 'last used',
  signedIn: 'signed in',
  endSession: 'Sign out',
  endOthers: 'Sign out all other sessions',
  endOthersText: 'Every other browser and program that uses your account has to sign in again.',
  sessionEnded: 'Session signed out.',
  othersEnded: 'All other sessions signed out.',
  password: 'Password',
  passwordText: 'Changing the password signs out all other sessions.',
  currentPassword: 'Current password',
  changePassword: 'Change password',
  passwordChanged: 'Password changed. All other sessions were signed out.',
  passwordWrong: 'Wrong current password.',
  passwordLocked: 'The operator of this installation has disabled password changes in the console.',
  recoveryText:
    'Use it to set a new password if you forget yours. It is shown only once and works once. Without it, an operator can reset the password on the server: ./parley user reset-password',
  recoveryLink: 'Reset password with recovery key',
  appearance: 'Appearance',
  appearanceText: 'Saved in this browser.',
};

export const secondFactor = {
  code: 'Code',
  codeHelp: 'From your authenticator app, or a recovery code.',
  signCode: 'Two-factor authentication',
  signCodeIntro: 'Your password is correct. Now enter a code.',
  back: 'Use another account',
  sf: 'Two-factor authentication',
  sfText: 'Requires a code from an authenticator app in addition to your password.',
  off: 'Two-factor authentication is off.',
  on: 'Two-factor authentication has been on since {{date}}.',
  left_one: '{{count}} recovery code left.',
  left_other: '{{count}} recovery codes left.',
  setUp: 'Set up',
  turnOff: 'Turn off',
  next: 'Continue',
  scan: 'Scan this QR code with an authenticator app, then enter the code it shows.',
  scanLabel: 'QR code for an authenticator app',
  manual: 'Or enter this key in the app',
  copyKey: 'Copy key',
  copiedKey: 'Key copied',
  turnOn: 'Turn on',
  passwordFirst: 'Enter your password to add an authenticator app.',
  saveTitle: 'Save your recovery codes',
  saveText: "Each code signs you in once when you don't have your authenticator app. They are shown only once.",
  copyCodes: 'Copy codes',
  copiedCodes: 'Codes copied',
  codesFile:
    'Parley recovery codes\n\n' +
    'Address: {{address}}\nUser name: {{user}}\nCreated: {{date}}\n\n{{codes}}\n\n' +
    "Enter one of them instead of the code of your authenticator app when you don't have it.\n" +
    'Each code works once.\n\n' +
    'Keep this file where only you can read it.\n',
  codes: 'Recovery codes',
  turnedOff: 'Two-factor authentication is off',
  turnOffText: 'You will sign in with your password only.',
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
