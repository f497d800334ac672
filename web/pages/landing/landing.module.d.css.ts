export const hero: string;
export const rays: string;
export const stroke: string;
