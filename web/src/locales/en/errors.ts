export const errors = {
  unknown: 'Something went wrong. Please try again.',
  unreachable: 'The server cannot be reached. Check the connection and try again.',
  internal: 'The server ran into a fault. Please try again.',
  invalid_credentials: 'The user name or the password is not right.',
  already_initialized: 'The first account already exists. Please sign in.',
  setup_token_required: 'This set-up token is not right. Look for it in the log of the server.',
  too_many_requests: 'Too many attempts. Please wait a moment.',
  not_ready: 'The server is starting or stopping. Please try again in a moment.',
  too_large: 'The message is too large.',
  bot_disabled: 'The bot is switched off.',
  no_pipeline: 'The bot has no pipeline to answer with.',
};
