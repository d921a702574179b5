export function SourcesView() {
  return (
    <section className="page">
      <h1>Sources</h1>
    </section>
  );
}
