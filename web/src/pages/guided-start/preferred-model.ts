/** Parts of names of models that write no text, or that only complete it. Few providers tell the kind of a model. */
const others =
  /embed|rerank|whisper|tts|audio|speech|transcribe|realtime|image|dall-?e|diffusion|sora|video|moderation|davinci|babbage|ocr/i;

/** The model that is selected until the user selects one: the first that probably answers questions. */
export function preferredModel(names: readonly string[]): string {
  return names.find((name) => !others.test(name)) ?? names[0] ?? '';
}
