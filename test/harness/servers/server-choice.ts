/** What the tests and benchmarks need besides Node.js and the embedded PostgreSQL. */
export const SERVICES = {
  redis: { packages: ['redis-server'], image: 'redis:7', variable: 'TEST_REDIS_URL' },
  rabbitmq: { packages: ['rabbitmq-server'], image: 'rabbitmq:3', variable: 'TEST_RABBITMQ_URL' },
  chromium: { packages: ['chromium'], image: undefined, variable: 'TEST_CHROMIUM' },
  python: {
    packages: ['python3-pika', 'python3-jsonschema', 'instaloader', 'python3-selenium'],
    image: undefined,
    variable: 'TEST_PYTHON',
  },
  chromedriver: { packages: ['chromium-driver'], image: undefined, variable: 'TEST_CHROMEDRIVER' },
  prometheus: { packages: ['prometheus'], image: undefined, variable: 'TEST_PROMETHEUS' },
  sfeed: { packages: ['sfeed'], image: undefined, variable: 'TEST_SFEED' },
  newsboat: { packages: ['newsboat'], image: undefined, variable: 'TEST_NEWSBOAT' },
  faketime: { packages: ['libfaketime'], image: undefined, variable: 'TEST_FAKETIME' },
} as const;
export type Service = keyof typeof SERVICES;

/** Modules that Python must be able to import to run the workers. */
export const PYTHON_MODULES = ['pika', 'jsonschema', 'instaloader', 'selenium'];

export type Way = 'given' | 'installed' | 'apt' | 'docker' | 'missing';

export interface Machine {
  /** The value of the service's variable, if it is set. */
  given(service: Service): string | undefined;
  /** The path of the program that runs the service. */
  installed(service: Service): string | undefined;
  debianAsRoot: boolean;
  dockerWorks(): boolean;
}

export function wayToGet(service: Service, machine: Machine): Way {
  if (machine.given(service)) return 'given';
  return ownWayToGet(service, machine);
}

/** For a test that kills or empties its server, which it must not do to a configured one. */
export function ownWayToGet(service: Service, machine: Machine): Way {
  if (machine.installed(service)) return 'installed';
  if (machine.debianAsRoot) return 'apt';
  if (SERVICES[service].image && machine.dockerWorks()) return 'docker';
  return 'missing';
}

/** Whether the service can be used without installing anything. */
export function isReady(way: Way): boolean {
  return way !== 'apt' && way !== 'missing';
}

/** `who` is the subject and the verb, such as "The tests need". */
export function whatToInstall(who: string, missing: readonly Service[]): string {
  const packages = missing.flatMap((service) => SERVICES[service].packages);
  const variables = missing.map((service) => SERVICES[service].variable);
  const docker = missing.every((service) => SERVICES[service].image) ? ', or start Docker' : '';
  return (
    `${who} ${missing.join(' and ')}: install ${missing.length > 1 ? 'them' : 'it'} ` +
    `(Debian: apt-get install ${packages.join(' ')}; macOS: brew install ${missing.join(' ')})${docker}, ` +
    `or set ${variables.join(' and ')}.`
  );
}

/** Only the tests of the Python workers need it. Without it they are skipped with this message. */
export function whyNoPython(): string {
  const { packages, variable } = SERVICES.python;
  return (
    `no Python with ${PYTHON_MODULES.join(', ')} (Debian: apt-get install ${packages.join(' ')}; ` +
    `elsewhere: pip install ${PYTHON_MODULES.join(' ')}, and ${variable}=/path/to/python)`
  );
}

/** Only the tests of the Python workers' browser need it. Without it they are skipped with this message. */
export function whyNoChromedriver(): string {
  const { packages, variable } = SERVICES.chromedriver;
  return `no chromedriver (Debian: apt-get install ${packages.join(' ')}; elsewhere: ${variable}=/path/to/chromedriver)`;
}

/** Only the tests of dashboards and rules need it. Without it they are skipped with this message. */
export function whyNoPrometheus(): string {
  const { packages, variable } = SERVICES.prometheus;
  return `no Prometheus with its promtool (Debian: apt-get install ${packages.join(' ')}; elsewhere: ${variable}=/path/to/prometheus)`;
}

/** Only `npm run bench fetch` needs it. Without it that line is left out with this message. */
export function whyNoSfeed(): string {
  const { packages, variable } = SERVICES.sfeed;
  return `no sfeed_update (Debian: apt-get install ${packages.join(' ')}; elsewhere: ${variable}=/path/to/sfeed_update)`;
}

/** Only the test of differing clocks needs it. Without it that test is skipped with this message. */
export function whyNoFaketime(): string {
  const { packages, variable } = SERVICES.faketime;
  return `no libfaketime (Debian: apt-get install ${packages.join(' ')}; elsewhere: ${variable}=/path/to/libfaketimeMT.so.1)`;
}

/** Only the tests with a reading app need it. Without it they are skipped with this message. */
export function whyNoNewsboat(): string {
  const { packages, variable } = SERVICES.newsboat;
  return `no newsboat (Debian: apt-get install ${packages.join(' ')}; elsewhere: ${variable}=/path/to/newsboat)`;
}
