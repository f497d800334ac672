export const back: string;
export const dim: string;
export const sides: string;
export const stamped: string;
export const summary: string;
export const turn: string;
