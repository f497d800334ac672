export const coin: string;
export const confetti: string;
export const pill: string;
export const reveal: string;
export const reward: string;
export const ring: string;
export const track: string;
