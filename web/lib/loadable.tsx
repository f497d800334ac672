import { use, type ComponentType } from 'react';
import { needed } from './chunks.ts';

export interface Loadable<P extends object = object> {
  load: () => Promise<ComponentType<P>>;
  Part: ComponentType<P>;
  retry: () => void;
}

/** Like `lazy`, but a loaded part renders at once, for hydration, and a failed load can be tried again. Needs a Boundary. */
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
