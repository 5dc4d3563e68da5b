/** Pipelines to begin with. Their names, texts and prompts are in the dictionaries. */
export const templates = ['support', 'faq', 'translator', 'summariser', 'moderator', 'coding'] as const;
export type Template = (typeof templates)[number];

/** Templates that answer from a knowledge base. */
export const knowledgeTemplates: readonly Template[] = ['support'];

/** What differs from the default configuration beside the prompt, which is in `ai.local-agent`. */
const settings: Record<Template, { agent: object; others?: object }> = {
  support: { agent: { 'knowledge-mode': 'automatic', citations: 'list', 'max-round': 10 } },
  faq: { agent: { 'max-round': 3 } },
  // Each message is a text of its own.
  translator: { agent: { 'max-round': 1 }, others: { output: { misc: { 'at-sender': false } } } },
  summariser: {
    agent: { 'max-round': 1 },
    // A long text arrives in several messages.
    others: { trigger: { 'message-aggregation': { enabled: true, delay: 3 } } },
  },
  moderator: {
    agent: { 'max-round': 3 },
    others: {
      trigger: { 'group-respond-rules': { at: true, 'all-mentions': false, prefix: [], random: 0 } },
      safety: {
        'content-filter': { scope: 'all', 'check-sensitive-words': true },
        'rate-limit': { 'window-length': 60, limitation: 10, strategy: 'drop' },
      },
    },
  },
  coding: {
    agent: { 'max-round': 20 },
    others: { output: { 'long-text-processing': { threshold: 4000 }, misc: { 'remove-think': true } } },
  },
};

interface TemplateChoices {
  /** In the language of the user. */
  prompt: string;
  /** uuids of knowledge bases. */
  knowledgeBases?: readonly string[];
}

/** The configuration of a new pipeline, to be laid over the default one. */
export function configOf(template: Template, { prompt, knowledgeBases = [] }: TemplateChoices) {
  const { agent, others = {} } = settings[template];
  return {
    ...others,
    ai: {
      'local-agent': {
        ...agent,
        prompt: [{ role: 'system', content: prompt }],
        ...(knowledgeTemplates.includes(template) ? { 'knowledge-bases': [...knowledgeBases] } : {}),
      },
    },
  };
}
