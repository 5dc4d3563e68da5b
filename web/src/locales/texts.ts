/** The same keys as the English texts have, each with a text of its own. */
export type Texts<English> = { [Key in keyof English]: English[Key] extends string ? string : Texts<English[Key]> };
