export const bump: string;
export const card: string;
export const deck: string;
export const description: string;
export const shade: string;
export const stack: string;
export const stamp: string;
