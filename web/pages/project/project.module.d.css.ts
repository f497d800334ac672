export const body: string;
export const grid: string;
export const head: string;
export const name: string;
export const panel: string;
export const passed: string;
export const picture: string;
export const voting: string;
