/** Where a stored picture is served; the hash names its bytes, so the address never changes its content (R25). */
export const imageUrl = (hash: string): string => `/images/${hash}.webp`;
