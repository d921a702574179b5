import { useRoute } from 'wouter';
import { ImportDetail } from './import-detail';
import { ImportList } from './import-list';
import './imports.css';

/** All of them and a form for a new one; or one of them, by its id. */
export function ImportsView() {
  const [, params] = useRoute('/imports/:id');
  return params ? <ImportDetail key={params.id} id={params.id} /> : <ImportList />;
}
