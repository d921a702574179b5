import { type ReactNode, type RefObject, useId } from 'react';

interface Props {
  title: string;
  children: ReactNode;
  id?: string;
  ref?: RefObject<HTMLDialogElement | null>;
  onClose?: () => void;
}

/** Opened with `showModal` of its element, by `ref` or `id`; Esc and the button close it. */
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
