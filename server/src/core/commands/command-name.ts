/** One word in lower case, as {@link parseCommand} finds it, and `command_privileges` names it. */
export function isCommandName(text: string): boolean {
  return /^(?!.*\p{Lu})\p{L}[\p{L}\p{N}_-]*$/u.test(text);
}
