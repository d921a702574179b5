import { Dialog } from '../design/dialog';
import { VIEWS } from '../views/views';

const ID = 'keyboard-help';

const READING: [string, string][] = [
  ['j', 'next post'],
  ['k', 'previous post'],
  ['o', 'open the original'],
  ['m', 'mark as read or unread'],
  ['s', 'star or unstar'],
  ['Shift+A', 'mark all as read'],
  ['/', 'search'],
  ['r', 'refresh'],
];

const LETTERS: [string, string][] = [
  ['j', 'next dead letter'],
  ['k', 'previous dead letter'],
  ['Enter', 'open'],
  ['r', 'replay'],
  ['x', 'discard'],
];

export function showKeyboardHelp(): void {
  const dialog = document.getElementById(ID);
  if (dialog instanceof HTMLDialogElement) dialog.showModal();
}

export function KeyboardHelp() {
  const goTo = VIEWS.map(({ key, name }): [string, string] => [`g ${key}`, `go to ${name}`]);
  return (
    <Dialog id={ID} title="Keyboard shortcuts">
      <KeyList title="In the feed" keys={READING} />
      <KeyList title="In dead letters" keys={LETTERS} />
      <KeyList title="Everywhere" keys={[...goTo, ['?', 'show this list'], ['Esc', 'close']]} />
    </Dialog>
  );
}

function KeyList({ title, keys }: { title: string; keys: [string, string][] }) {
  return (
    <>
      <h3>{title}</h3>
      <dl className="keys">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
