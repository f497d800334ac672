export const below: string;
export const deck: string;
export const hero: string;
export const rays: string;
export const stroke: string;
export const title: string;
export const words: string;
export const waiting: string;
