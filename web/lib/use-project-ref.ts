import { useLocation } from 'wouter';

/** The slug or the number in '/projects/:ref…'. */
export const useProjectRef = (): string => useLocation()[0].split('/')[2] ?? '';
