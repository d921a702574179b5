import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries';
import { App } from './app';
import { Announcer } from './design/announcer';
import './design/tokens.css';
import './design/base.css';
import './design/parts.css';
import './shell.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Announcer>
        <App />
      </Announcer>
    </QueryClientProvider>
  </StrictMode>,
);
