export const cards: string;
export const hole: string;
export const perforation: string;
