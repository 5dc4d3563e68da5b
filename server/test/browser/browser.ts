import { type Browser, chromium } from 'playwright-core';
import { sharedResource } from '../shared/shared-resource.ts';

/**
 * Connects to the browser that all tests share. Contexts are its own, and nobody else's; closing it ends them and leaves
 * the browser to the others.
 */
export async function launchBrowser(): Promise<Browser> {
  return chromium.connect(await sharedResource('browser'));
}
