import { figuresProperty } from '../stores/figures-property.ts';

figuresProperty(20);
