/** A user's text within a sentence of ours, which keeps its own direction; in plain text `isolated` of shared/ does it. */
export const Name = ({ children }: { children: string }) => <bdi>{children}</bdi>;
