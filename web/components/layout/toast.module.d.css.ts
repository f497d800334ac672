export const toast: string;
export const viewport: string;
