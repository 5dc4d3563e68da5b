import type { Page } from 'playwright-core';

/** Roles that are of no use to a screen reader without a name. */
const named: ReadonlySet<string> = new Set([
  ...['alertdialog', 'button', 'checkbox', 'combobox', 'dialog', 'heading', 'link', 'listbox', 'menuitem'],
  ...['navigation', 'option', 'progressbar', 'radio', 'radiogroup', 'region', 'searchbox', 'slider', 'spinbutton'],
  ...['switch', 'tab', 'tablist', 'tabpanel', 'textbox'],
]);
/** Raw Markdown, which is read out mark by mark. */
const rawMarkdown = /\*\*\S|^#{1,6} |^\|.*\|$/m;

interface TreeNode {
  ignored: boolean;
  role?: { value?: string };
  name?: { value?: string };
  properties?: { name: string; value: { value?: unknown } }[];
}

/**
 * What is wrong with the page as assistive technologies read it: controls, landmarks and headings without a name, names
 * with raw Markdown, and a focus on something that they are not told of.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: TreeNode[] };
  await session.detach();
  return nodes.flatMap(({ ignored, role, name, properties = [] }) => {
    const [kind, called] = [role?.value ?? '', (name?.value ?? '').trim()];
    if (ignored) return properties.some((one) => one.name === 'focused') ? ['the focus is on a hidden element'] : [];
    if (named.has(kind) && called === '') return [`a ${kind} has no name`];
    return named.has(kind) && rawMarkdown.test(called) ? [`a ${kind} is called ${called.slice(0, 80)}`] : [];
  });
}
