import { useId } from 'react';
import './line-chart.css';

interface Series {
  name: string;
  tone: 'main' | 'soft' | 'bad';
  /** Null where nothing was measured. */
  values: (number | null)[];
}

interface Props {
  title: string;
  /** ISO 8601, one for each value. */
  times: string[];
  series: Series[];
  format?: (value: number) => string;
}

const WIDTH = 600;
const HEIGHT = 140;

/** A line chart with a hidden table of the same values for screen readers. */
export function LineChart({ title, times, series, format = (value) => value.toLocaleString() }: Props) {
  const heading = useId();
  const max = Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return (
    <figure className="chart" aria-labelledby={heading}>
      <figcaption id={heading}>
        <strong>{title}</strong>
        <span className="legend">
          {series.map(({ name, tone, values }) => (
            <span key={name} className={tone}>
              {name} {latest(values, format)}
            </span>
          ))}
        </span>
      </figcaption>
      <div className="plot">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {series.map(({ name, tone, values }) => (
            <path key={name} className={tone} d={pathOf(values, max)} />
          ))}
        </svg>
        <span className="max">{format(max)}</span>
      </div>
      <div className="times" aria-hidden="true">
        <span>{clockTime(times[0])}</span>
        <span>{clockTime(times.at(-1))}</span>
      </div>
      <FiguresTable {...{ title, times, series, format }} />
    </figure>
  );
}

function latest(values: (number | null)[], format: (value: number) => string): string {
  const last = values.findLast((value) => value !== null);
  return last == null ? '–' : format(last);
}

function FiguresTable({ title, times, series, format }: Required<Props>) {
  return (
    <table className="hidden">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((time, index) => (
          <tr key={time}>
            <th scope="row">{clockTime(time)}</th>
            {series.map(({ name, values }) => (
              <td key={name}>{values[index] == null ? '–' : format(values[index])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The line breaks where a value is null. A single point is drawn as a short stroke. */
function pathOf(values: (number | null)[], max: number): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, index) =>
    value === null ? null : `${(index * step).toFixed(1)} ${(HEIGHT - 2 - (value / max) * (HEIGHT - 8)).toFixed(1)}`,
  );
  return points
    .map((point, index) => {
      if (point === null) return '';
      if (points[index - 1] != null) return `L${point}`;
      return points[index + 1] != null ? `M${point}` : `M${point}h1`;
    })
    .join('');
}

function clockTime(time: string | undefined): string {
  return time ? new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) : '';
}
