/** Stands for the parser of patterns that wouter imports: `screenAt` finds the screen. */
export const parse = null;
