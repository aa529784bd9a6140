/** A client of the HTTP door: each route is a method, typed by the OpenAPI document. */
import { ROUTES, type Envelope, type Methods } from "./api.js";

export type * from "./api.js";

export interface Connection {
  /** Where `muniment serve` answers. */
  url: string;
  /** An API key: who speaks is the key's to say. */
  key: string;
  /** With a key made by `--any-user`: whom every call is about. */
  user?: string;
  /** Another `fetch`, for tests and proxies. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** The same key and the same call are done once, and answered alike. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** What the service answered when it could not do what was asked. */
export class MunimentError extends Error {
  constructor(readonly status: number, readonly envelope: Partial<Envelope>) {
    super(envelope.user_message ?? `the service answered ${status}`);
    this.name = "MunimentError";
  }

  /** A stable code, as docs/vocabulary.md lists them. */
  get code(): string {
    return this.envelope.error_code ?? "UNKNOWN";
  }

  get retryable(): boolean {
    return this.envelope.retryable ?? false;
  }
}

type Asks<Name extends keyof Methods> = Methods[Name]["asks"];
type Arguments<Name extends keyof Methods> = Record<string, never> extends Asks<Name>
  ? [asks?: Asks<Name>, options?: CallOptions]
  : [asks: Asks<Name>, options?: CallOptions];

/** Every route of the service as a method. */
export type Muniment = {
  [Name in keyof Methods]: (...said: Arguments<Name>) => Promise<Methods[Name]["answers"]>;
};

/** A memory behind an address. Nothing is asked before the first call. */
export function connect(connection: Connection): Muniment {
  const call = (name: keyof Methods) => (asks: object = {}, options: CallOptions = {}) =>
    send(connection, name, { ...asks }, options);
  const names = Object.keys(ROUTES) as (keyof Methods)[];
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Muniment;
}

async function send(
  connection: Connection,
  name: keyof Methods,
  asks: Record<string, unknown>,
  options: CallOptions,
): Promise<unknown> {
  const [method, path, hasBody] = ROUTES[name];
  const place = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = asks[field];
    delete asks[field];
    // An empty part, or one of dots, would name another route.
    if (value === undefined || /^\.{0,2}$/.test(String(value))) throw new TypeError(`${name} needs ${field}`);
    return encodeURIComponent(String(value));
  });
  const address = connection.url.replace(/\/+$/, "") + place + (hasBody ? "" : query(asks));
  const answer = await (connection.fetch ?? fetch)(address, {
    method,
    headers: headers(connection, options, hasBody),
    ...(hasBody ? { body: JSON.stringify(asks) } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    redirect: "error", // a key is sent to the address that was given, and nowhere else
  });
  warnOfDeprecation(answer, `${method} ${path}`);
  const said: unknown = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new MunimentError(answer.status, said as Partial<Envelope>);
  return said;
}

const warned = new Set<string>();

/** An address that goes says so in a header (RFC 9745); its caller is told once, on the console. */
function warnOfDeprecation(answer: Response, route: string): void {
  const [, seconds] = /^@(\d{1,12})$/.exec(answer.headers.get("deprecation") ?? "") ?? [];
  if (seconds === undefined || warned.has(route)) return;
  warned.add(route);
  const day = new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
  console.warn(`muniment: ${route} is deprecated since ${day}; /docs of the service says what to call instead.`);
}

function headers(connection: Connection, options: CallOptions, hasBody: boolean): Record<string, string> {
  return {
    authorization: `Bearer ${connection.key}`,
    ...(hasBody ? { "content-type": "application/json" } : {}),
    ...(connection.user ? { "muniment-user": connection.user } : {}),
    ...(options.idempotencyKey ? { "idempotency-key": options.idempotencyKey } : {}),
  };
}

function query(asks: Record<string, unknown>): string {
  const pairs = Object.entries(asks).filter(([, value]) => value !== undefined && value !== null);
  const words = pairs.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)]),
  );
  return words.length ? `?${new URLSearchParams(words)}` : "";
}
