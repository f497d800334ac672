import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import * as styles from './project.module.css';

export function LoadingProject() {
  return (
    <div className={styles.grid}>
      <VisuallyHidden>Loading project...</VisuallyHidden>
      <Skeleton className={`${styles.picture} rounded-2xl`} />
      <div className={`${styles.head} grid content-start gap-4`}>
        <Skeleton className="h-7 w-24 rounded-full" />
        <Skeleton className="h-12 w-3/4" />
      </div>
      <div className={`${styles.body} grid content-start gap-5`}>
        <Skeleton className="h-12 w-full max-w-prose" />
        <Skeleton className="h-27 w-full max-w-lg rounded-xl" />
        <Skeleton className="h-11 w-60 rounded-full" />
        <Skeleton className="h-44 w-full rounded-xl" />
      </div>
    </div>
  );
}
