/** Who works in the admin panel (R54): the owner, whose wallet is ADMIN_WALLET, and those to whom the owner gave a role. */
export const ROLES = ['owner', 'payer', 'moderator'] as const;
export type Role = (typeof ROLES)[number];

/** Roles that the owner grants. */
export const GRANTED_ROLES = ['payer', 'moderator'] as const satisfies readonly Role[];
export type GrantedRole = (typeof GRANTED_ROLES)[number];
