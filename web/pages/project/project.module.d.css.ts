export const body: string;
export const grid: string;
export const head: string;
export const name: string;
export const picture: string;
export const stack: string;
