export function FeedView() {
  return (
    <section className="page">
      <h1>Feed</h1>
    </section>
  );
}
