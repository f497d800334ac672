export const grid: string;
export const picture: string;
export const stack: string;
