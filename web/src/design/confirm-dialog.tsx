import { type ReactNode, useEffect, useRef } from 'react';
import { Dialog } from './dialog';

export interface Question {
  title: string;
  text: ReactNode;
  /** What the button that does it says. */
  action: string;
  act: () => void;
  isDanger?: boolean;
}

/** Asks before something that cannot be taken back; shown while there is a question. */
export function ConfirmDialog({ question, onClose }: { question: Question | undefined; onClose: () => void }) {
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
            <button type="submit">Leave it</button>
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
