import type { I18nText } from '@parley/sdk';
import { brandIcon } from '../../lib/brand-icon.ts';
import { monogram } from './monogram.ts';

/** The icon of an extension as SVG: its own, that of its brand, or a monogram. */
export async function iconOf({
  icon,
  brand,
  label,
}: {
  icon?: string;
  brand?: string;
  label: I18nText;
}): Promise<string> {
  const logo = icon ?? (brand === undefined ? null : await brandIcon(brand));
  return logo ?? monogram(label.en_US);
}
