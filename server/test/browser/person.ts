import type { Locator, Page } from 'playwright-core';

export interface AttachedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A user at a page: with a mouse and a keyboard, or with a keyboard alone. */
export interface Person {
  /** A button, a link, a tab, a box to be checked. */
  press(target: Locator): Promise<void>;
  /** Into a field that is empty or holds what is replaced. */
  write(target: Locator, text: string): Promise<void>;
  /** One of a list, by its words. */
  choose(target: Locator, option: string): Promise<void>;
  attach(target: Locator, file: AttachedFile): Promise<void>;
}

export function withMouse(page: Page): Person {
  return {
    press: (target) => target.click(),
    write: async (target, text) => {
      await target.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    choose: async (target, option) => {
      await target.selectOption({ label: option });
    },
    attach: (target, file) => target.setInputFiles(file),
  };
}

/** Stops of the tab key after which something counts as out of reach. */
const mostStops = 150;

/** @throws Error, from each method, when the tab key does not lead to the target, or the place of the focus is not seen */
export function withKeyboard(page: Page): Person {
  const { keyboard } = page;
  // The file chooser is intercepted early; otherwise the browser would show its own dialog.
  page.on('filechooser', () => undefined);
  const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

  async function reach(target: Locator): Promise<void> {
    await target.waitFor({ state: 'attached' });
    // Of tabs, the tab key leads to the chosen one, and the arrows to the others.
    const isTab = (await target.getAttribute('role')) === 'tab';
    const stop = isTab ? target.locator('xpath=ancestor::*[@role="tablist"]//*[@data-state="active"]') : target;
    for (let stops = 0; !(await isFocused(stop)); stops++) {
      if (stops === mostStops) throw new Error(`The tab key does not lead to ${target}`);
      await keyboard.press('Tab');
    }
    for (let steps = 0; !(await isFocused(target)); steps++) {
      if (steps === mostStops) throw new Error(`The arrows do not lead to ${target}`);
      await keyboard.press('ArrowRight');
    }
    if (!(await target.evaluate(showsFocus))) throw new Error(`The focus on ${target} is not visible`);
  }

  return {
    press: async (target) => {
      await reach(target);
      const isBox = await target.evaluate((element) => element instanceof HTMLInputElement);
      const isTab = (await target.getAttribute('role')) === 'tab';
      // A tab is chosen by being reached.
      if (!isTab) await keyboard.press(isBox ? 'Space' : 'Enter');
    },
    write: async (target, text) => {
      await reach(target);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(text);
    },
    choose: async (target, option) => {
      await reach(target);
      await keyboard.type(option);
    },
    attach: async (target, file) => {
      await reach(target);
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Enter')]);
      await chooser.setFiles(file);
    },
  };
}

/** Whether an element that has the focus, its label or what holds both is drawn with an outline, which it is not without. */
function showsFocus(element: Element): boolean {
  const drawn = (part: Element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(part);
    return outlineStyle !== 'none' && outlineWidth !== '0px';
  };
  const frames = [element.closest('label'), element.parentElement, element.closest('[data-focus-frame]')];
  return [element, ...frames].some((part) => part !== null && drawn(part));
}
