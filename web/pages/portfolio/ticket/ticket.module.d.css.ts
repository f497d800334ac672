export const day: string;
export const hole: string;
export const perforation: string;
export const pile: string;
export const piled: string;
export const piles: string;
export const rest: string;
