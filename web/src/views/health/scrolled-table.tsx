import type { ReactNode } from 'react';

/** Focusable, so that a table wider than the page can be scrolled by keyboard. */
export function ScrolledTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
    <section className="health-scroll" aria-label={label} tabIndex={0}>
      <table className="health-table">{children}</table>
    </section>
  );
}
