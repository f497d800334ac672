import {
  type ChangeEvent,
  type ComponentProps,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Props<C extends Control> {
  ref?: Ref<C> | undefined;
  value?: ComponentProps<'input'>['value'];
  onChange?: ((event: ChangeEvent<C>) => void) | undefined;
}

const never = () => () => undefined;

/** The early value of the control, or of one of its name that has left a page drawn again in the reader's numbers. */
function takeUsed(control: Control): string | undefined {
  const { used } = window.early ?? {};
  const wasHere = (one: Control) => !one.isConnected && one.ariaLabel !== null && one.ariaLabel === control.ariaLabel;
  const found = [...(used ?? [])].find((one) => one === control || wasHere(one));
  if (found) used?.delete(found);
  return found?.value;
}

/**
 * Reports what was typed or chosen in a control of the server's HTML before the code had come (R87): React keeps it on the
 * screen, and fires nothing.
 */
export function useEarlyChange<C extends Control>({ ref, value, onChange }: Props<C>): RefObject<C | null> {
  const control = useRef<C>(null);
  useImperativeHandle<C | null, C | null>(ref, () => control.current, []);
  const isHydrating = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  const [isDrawn] = useState(isHydrating);
  const report = useEffectEvent((target: C) => {
    const before = takeUsed(target);
    const shown = isDrawn ? target.value : before;
    if (shown === undefined || value === undefined || shown === String(value)) return;
    target.value = shown;
    onChange?.({ target, currentTarget: target } as ChangeEvent<C>);
  });
  useEffect(() => {
    if (control.current) report(control.current);
  }, []);
  return control;
}
