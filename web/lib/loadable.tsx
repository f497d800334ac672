import { use, type ComponentType } from 'react';
import { needed } from './chunks.ts';

export interface Loadable<P extends object = object> {
  /** Fetches the code; the browser keeps it, so that calling it early makes the visit fast. */
  load: () => Promise<ComponentType<P>>;
  Part: ComponentType<P>;
  retry: () => void;
}

/**
 * Like `lazy`, but once `load` has resolved, the part renders without a further turn, so that what the server drew can be
 * taken over whole; and a failed load can be tried again. Draw it inside a Boundary. `reach` reacts to a failure when the part
 * is to be drawn: by default, the page reloads where the server has another one.
 */
export function loadable<P extends object = object>(
  loadPart: () => Promise<ComponentType<P>>,
  reach: (chunk: Promise<ComponentType<P>>) => Promise<ComponentType<P>> = needed,
): Loadable<P> {
  let loaded: ComponentType<P> | undefined;
  let pending: Promise<ComponentType<P>> | undefined;
  const load = async () => {
    try {
      return (loaded ??= await (pending ??= loadPart()));
    } catch (error) {
      pending = undefined;
      throw error;
    }
  };
  let shown: Promise<ComponentType<P>> | undefined;
  function Part(props: P) {
    const Loaded = loaded ?? use((shown ??= reach(load())));
    return <Loaded {...props} />;
  }
  return {
    load,
    Part,
    retry: () => {
      shown = undefined;
    },
  };
}
