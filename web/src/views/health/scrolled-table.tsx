import type { ReactNode } from 'react';

/** Scrolls by itself where it is too wide for the page, also by keyboard. */
export function ScrolledTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="health-scroll" aria-label={label} tabIndex={0}>
      <table className="health-table">{children}</table>
    </section>
  );
}
