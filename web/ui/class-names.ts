import { clsx, type ClassValue } from 'clsx';

/** Joins class names; falsy ones are left out. Put the caller's `className` last. */
export const cn = (...classes: ClassValue[]): string => clsx(classes);
