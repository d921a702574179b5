import { useRoute } from 'wouter';
import { ImportDetail } from './import-detail';
import { ImportList } from './import-list';
import './imports.css';

export function ImportsView() {
  const [, params] = useRoute('/imports/:id');
  return params ? <ImportDetail key={params.id} id={params.id} /> : <ImportList />;
}
