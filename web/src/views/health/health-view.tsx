export function HealthView() {
  return (
    <section className="page">
      <h1>Health</h1>
    </section>
  );
}
