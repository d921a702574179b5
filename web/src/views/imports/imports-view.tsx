export function ImportsView() {
  return (
    <section className="page">
      <h1>Imports</h1>
    </section>
  );
}
