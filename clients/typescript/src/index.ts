/** A client of the HTTP door: each route is a method, typed by the OpenAPI document. */
import { ROUTES, STREAMS, type Methods, type Said, type Streams } from "./api.js";
import { MunimentError } from "./errors.js";
import { exported, failed, followed } from "./streams.js";

export type * from "./api.js";
export { MunimentError } from "./errors.js";

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

type Asks<Name extends keyof Methods> = Methods[Name]["asks"];
type Arguments<Name extends keyof Methods> = Record<string, never> extends Asks<Name>
  ? [asks?: Asks<Name>, options?: CallOptions]
  : [asks: Asks<Name>, options?: CallOptions];

type Told<Name extends keyof Streams> = AsyncGenerator<Streams[Name]["tells"], void, undefined>;

/** Every route of the service as a method; what comes one by one is gone through with `for await`. */
export type Muniment = {
  [Name in keyof Methods]: (...said: Arguments<Name>) => Promise<Methods[Name]["answers"]>;
} & {
  /** What happens, as it happens; a connection that is lost is taken up again where it was. */
  [Name in "watch" | "followLog"]: (asks?: Streams[Name]["asks"], options?: CallOptions) => Told<Name>;
} & {
  /** The records of an export one by one, in bounded memory; an error where not all of them came. */
  exportLines: (asks?: Streams["export"]["asks"], options?: CallOptions) => Told<"export">;
};

/** A memory behind an address. Nothing is asked before the first call. */
export function connect(connection: Connection): Muniment {
  const call = (name: keyof Methods) => (asks: object = {}, options: CallOptions = {}) =>
    send(connection, name, { ...asks }, options);
  const names = Object.keys(ROUTES) as (keyof Methods)[];
  const methods = Object.fromEntries(names.map((name) => [name, call(name)]));
  return { ...methods, ...streams(connection) } as Muniment;
}

function streams(connection: Connection): Pick<Muniment, "watch" | "followLog" | "exportLines"> {
  const follow = (name: "watch" | "followLog") => (asks: object = {}, options: CallOptions = {}) =>
    followed((after) => {
      const [method, path] = STREAMS[name];
      const said = query({ ...asks, ...(after === undefined ? {} : { after }) });
      return ask(connection, method, path + said, options, "");
    }, options.signal);
  return {
    watch: follow("watch"),
    followLog: follow("followLog"),
    exportLines: async function* (asks = {}, options = {}) {
      const [method, path] = STREAMS.export;
      yield* exported(await ask(connection, method, path, options, KINDS.body, JSON.stringify(asks)));
    },
  } as Pick<Muniment, "watch" | "followLog" | "exportLines">;
}

const LINES = "application/x-ndjson";
const KINDS: Record<Said, string> = { address: "", body: "application/json", file: "application/octet-stream" };
const MANIFEST_BYTES_MAX = 1 << 20;

async function send(
  connection: Connection,
  name: keyof Methods,
  asks: Record<string, unknown>,
  options: CallOptions,
): Promise<unknown> {
  const [method, path, said] = ROUTES[name];
  const file = said === "file" ? asks["file"] : undefined;
  if (said === "file") delete asks["file"];
  const place = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = asks[field];
    delete asks[field];
    // An empty part, or one of dots, would name another route.
    if (value === undefined || /^\.{0,2}$/.test(String(value))) throw new TypeError(`${name} needs ${field}`);
    return encodeURIComponent(String(value));
  });
  const body = said === "body" ? JSON.stringify(asks) : (file as Blob | undefined);
  const address = place + (said === "body" ? "" : query(asks));
  const answer = await ask(connection, method, address, options, KINDS[said], body);
  warnOfDeprecation(answer, `${method} ${path}`);
  if (!answer.ok) throw await failed(answer);
  if (answer.headers.get("content-type") === LINES) return whole(await answer.blob());
  return answer.json().catch(() => ({}));
}

function ask(
  connection: Connection,
  method: string,
  place: string,
  options: CallOptions,
  kind: string,
  body?: string | Blob,
): Promise<Response> {
  return (connection.fetch ?? fetch)(connection.url.replace(/\/+$/, "") + place, {
    method,
    headers: headers(connection, options, kind),
    ...(body === undefined ? {} : { body }),
    ...(options.signal ? { signal: options.signal } : {}),
    redirect: "error", // a key is sent to the address that was given, and nowhere else
  });
}

/** An export ends with its manifest; one that does not was cut on its way, or ended by an error. */
async function whole(file: Blob): Promise<Blob> {
  const end = await file.slice(-MANIFEST_BYTES_MAX).text();
  const last = end.trimEnd().split("\n").pop() ?? "";
  if (last.startsWith('{"error":')) throw new MunimentError(503, JSON.parse(last).error);
  if (!last.startsWith('{"manifest":')) throw new MunimentError(502, { user_message: "the export was cut" });
  return file;
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

function headers(connection: Connection, options: CallOptions, kind: string): Record<string, string> {
  return {
    authorization: `Bearer ${connection.key}`,
    ...(kind ? { "content-type": kind } : {}),
    ...(connection.user ? { "muniment-user": named(connection.user) } : {}),
    ...(options.idempotencyKey ? { "idempotency-key": options.idempotencyKey } : {}),
  };
}

/** A name as UTF-8, one letter for each byte; as Latin-1 it might be somebody else's. */
function named(user: string): string {
  if (user !== user.trim() || /[\u0000-\u001f]/.test(user)) {
    throw new TypeError("the user must not begin or end with a space, or hold a line break");
  }
  return String.fromCharCode(...new TextEncoder().encode(user));
}

function query(asks: Record<string, unknown>): string {
  const pairs = Object.entries(asks).filter(([, value]) => value !== undefined && value !== null);
  const words = pairs.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)]),
  );
  return words.length ? `?${new URLSearchParams(words)}` : "";
}
