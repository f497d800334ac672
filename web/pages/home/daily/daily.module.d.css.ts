export const summary: string;
