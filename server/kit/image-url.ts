/** Address of a stored picture; the hash names its bytes, so its content never changes (R25). */
export const imageUrl = (hash: string): string => `/images/${hash}.webp`;
