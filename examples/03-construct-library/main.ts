import { Chart } from 'cdk8s';
import { FleetApp } from 'fleetwright/constructs';
import { WebService } from './web-service.js';

/** Two teams use the library; neither writes a policy. */
export function teamsApp(): FleetApp {
  const app = new FleetApp();
  const checkout = new Chart(app, 'checkout', { namespace: 'checkout' });
  new WebService(checkout, 'cart', { image: 'cart:2', replicas: 6, regions: ['eu', 'us'] });
  const search = new Chart(app, 'search', { namespace: 'search' });
  new WebService(search, 'query', { image: 'query:7', replicas: 4, regions: ['eu'] });
  return app;
}

if (require.main === module) teamsApp().synth();
