export function PublishView() {
  return (
    <section className="page">
      <h1>Publish</h1>
    </section>
  );
}
