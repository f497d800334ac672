/** Explains the mark of a name (R74). */
export const WITHHELD_TEXT =
  'Links, X account and a description that leads away are shown once a moderator has looked.';
