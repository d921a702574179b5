/** Which account a button is about, for those who do not see where it stands. */
export const Of = ({ name }: { name: string }) => <span className="hidden">{name}</span>;
