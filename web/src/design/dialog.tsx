import { type ReactNode, type RefObject, useId } from 'react';

interface Props {
  title: string;
  children: ReactNode;
  id?: string;
  ref?: RefObject<HTMLDialogElement | null>;
  onClose?: () => void;
}

/** Open it with `showModal()` on the element, found by `ref` or `id`. */
export function Dialog({ title, children, id, ref, onClose }: Props) {
  const heading = useId();
  return (
    <dialog id={id} ref={ref} aria-labelledby={heading} onClose={onClose}>
      <form method="dialog" className="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button type="submit" className="quiet" aria-label="Close">
          ✕
        </button>
      </form>
      {children}
    </dialog>
  );
}
