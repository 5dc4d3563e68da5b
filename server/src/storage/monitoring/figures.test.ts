import { figuresProperty } from '../../../test/stores/figures-property.ts';

// `server/test/long/figures.test.ts` tries more.
figuresProperty(5);
