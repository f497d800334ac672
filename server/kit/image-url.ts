export const imageUrl = (hash: string): string => `/images/${hash}.webp`;
