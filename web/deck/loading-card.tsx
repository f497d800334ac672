import * as styles from './deck.module.css';
import { Skeleton } from '../ui/skeleton.tsx';

export function LoadingCard() {
  return (
    <div className={`${styles.sized} panel absolute inset-0 rounded-2xl p-2.5`}>
      <div className={styles.face}>
        <div className={`${styles.picture} shimmer grid place-items-center rounded-xl`}>
          <p className="rounded-full bg-surface px-4 py-1.5 font-semibold text-muted">Loading projects...</p>
        </div>
        <div className={`${styles.words} grid gap-3 px-2 pt-5 pb-4 sm:px-3`}>
          <Skeleton className="h-6 w-1/2" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-3/4" />
        </div>
      </div>
    </div>
  );
}
