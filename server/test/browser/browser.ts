import { type Browser, chromium } from 'playwright-core';
import { sharedResource } from '../shared/shared-resource.ts';

/**
 * Connects to the browser that all tests share. Contexts belong to the connection; closing it ends them and leaves
 * the browser to the others.
 */
export async function launchBrowser(): Promise<Browser> {
  return chromium.connect(await sharedResource('browser'));
}
