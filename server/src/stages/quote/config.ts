import Type from 'typebox';
import { quoteSettings } from '../../kit/quote-settings.ts';

/** The group `trigger.misc` of a pipeline. */
export const quoteConfig = Type.Object({ trigger: Type.Object({ misc: quoteSettings }) });
