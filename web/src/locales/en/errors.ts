import { basicFieldRules } from '@parley/sdk/basic-field-rules';

const rules: Record<keyof typeof basicFieldRules, string> = basicFieldRules;

/** Errors that the console words itself; all others are in `reasons` and `problems`. */
export const errors = {
  unknown: 'Something went wrong. Please try again.',
  unreachable: "Can't reach the server. Check your connection and try again.",
  in_use: "In use, so it can't be deleted:",
  fields: 'Some fields are not valid.',
  fieldsShown: 'Check the marked fields.',
  response: 'Response',
  responseWithStatus: 'Response (HTTP {{status}})',
  noText: 'No error message.',
  serverMessage: 'Server message',
  code: 'Error code',
  requestId: 'Request ID',
  copyRequestId: 'Copy request ID',
  links: {
    provider: 'Open the provider',
    bot: 'Open the bot',
    pipeline: 'Open the pipeline',
    message: 'Open the trace',
  },
  /** What to do where the server names no cause, by reason. */
  next: {
    platform_unauthorized: 'Create a new token on the platform and enter it in the settings of the bot.',
    platform_failed: 'Try again later, and check the status page of the platform.',
    blocked: 'The bot can write again when the user unblocks it, or when it joins the group again.',
    unknown_target: 'Check the ID. Most platforms accept messages only for chats in which the bot takes part.',
    window_closed: 'The user has to write to the bot again first.',
    reply_expired: 'The user has to write to the bot again first.',
    quota: 'Wait until the limit of the platform or the provider allows more.',
    model_not_configured: 'Select a model in the pipeline.',
    runner_not_found: 'Select another runner in the pipeline.',
    no_pipeline: 'Select a pipeline in the settings of the bot.',
    time_limit: 'Raise the time limit in the pipeline, or use a faster model.',
    step_limit: 'Raise the limit of tool calls in the pipeline, or allow fewer tools.',
  },
  rules: { ...rules, other: 'Not valid: {{message}}' },
};
