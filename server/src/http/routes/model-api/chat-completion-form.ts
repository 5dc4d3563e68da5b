import type { ModelAnswer, ModelUsage } from '../../../core/model-api/model-question.ts';
import { type AnsweredQuestion, type AnswerForm, secondsOf } from './answer-form.ts';
import type { Frame } from './event-stream.ts';

/** Answers as chat completions. */
export function chatCompletionForm(
  { uuid, created_at }: AnsweredQuestion,
  { model, includeUsage }: { model: string; includeUsage: boolean },
): AnswerForm {
  const identity = { id: `chatcmpl-${uuid}`, created: secondsOf(created_at), model };
  const chunk = (choices: object[], usage: object | null = null): Frame => ({
    data: { ...identity, object: 'chat.completion.chunk', choices, ...(includeUsage ? { usage } : {}) },
  });
  const choice = (delta: object, finish_reason: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason },
  ];
  return {
    complete: ({ text: content, finish_reason, usage }) => ({
      ...identity,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content, refusal: null, annotations: [] },
          logprobs: null,
          finish_reason,
        },
      ],
      usage: usageOf(usage),
    }),
    begin: () => [chunk(choice({ role: 'assistant', content: '', refusal: null }))],
    delta: (content) => [chunk(choice({ content }))],
    end: ({ finish_reason, usage }: ModelAnswer) => [
      chunk(choice({}, finish_reason)),
      ...(includeUsage ? [chunk([], usageOf(usage))] : []),
      { data: '[DONE]' },
    ],
    failure: (error) => [{ data: error }],
  };
}

function usageOf({ input_tokens, output_tokens }: ModelUsage) {
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
