/** Names the account of a button for screen readers. */
export const Of = ({ name }: { name: string }) => <span className="hidden">{name}</span>;
