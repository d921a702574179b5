export function DeadLettersView() {
  return (
    <section className="page">
      <h1>Dead letters</h1>
    </section>
  );
}
