import { type ReactNode, useEffect, useRef } from 'react';
import { Dialog } from './dialog';

export interface Confirmation {
  title: string;
  text: ReactNode;
  /** Label of the button that confirms. */
  action: string;
  act: () => void;
  isDanger?: boolean;
}

export function ConfirmDialog({ question, onClose }: { question: Confirmation | undefined; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const action = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!question) return dialog.current?.close();
    dialog.current?.showModal();
    action.current?.focus();
  }, [question]);
  return (
    <Dialog ref={dialog} title={question?.title ?? ''} onClose={onClose}>
      {question && (
        <>
          <p>{question.text}</p>
          <form method="dialog" className="confirm-actions">
            <button type="submit">Cancel</button>
            <button
              ref={action}
              type="submit"
              className={question.isDanger ? 'danger' : 'primary'}
              onClick={() => question.act()}
            >
              {question.action}
            </button>
          </form>
        </>
      )}
    </Dialog>
  );
}
