export function LeadsView() {
  return (
    <section className="page">
      <h1>Leads</h1>
    </section>
  );
}
