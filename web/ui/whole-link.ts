/** A link that takes presses on the whole of its positioned parent, with its outline; what is above it in z stays pressable. */
export const WHOLE_LINK =
  'after:absolute after:inset-0 focus-visible:outline-0 focus-visible:after:outline-3 focus-visible:after:outline-offset-3 focus-visible:after:outline-accent';
