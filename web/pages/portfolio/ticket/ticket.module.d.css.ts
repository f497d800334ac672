export const day: string;
export const hole: string;
export const perforation: string;
export const pile: string;
