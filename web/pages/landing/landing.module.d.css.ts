export const rays: string;
export const stroke: string;
