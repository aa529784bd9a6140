/** What comes one by one: server-sent events that go on where they stopped, and JSON lines. */
import type { Envelope } from "./api.js";
import { MunimentError } from "./errors.js";

const SILENT_MAX = 10; // connections in a row that bring nothing
const FIRST_WAIT_MS = 50;
const WAIT_MS_MAX = 5_000;
const MANIFEST = '{"manifest":';
const ERROR = '{"error":';

/** Ask again, after the place that was told last. */
export type Ask = (after: string | undefined) => Promise<Response>;

/** Events as they happen. A connection that is lost is taken up again where it was. */
export async function* followed<T>(ask: Ask, signal?: AbortSignal): AsyncGenerator<T, void, undefined> {
  let after: string | undefined;
  let silent = 0;
  while (true) {
    try {
      const answer = await ask(after);
      if (!answer.ok) throw await failed(answer);
      for await (const event of events(answer)) {
        silent = 0;
        if (event.kind === "end") throw new MunimentError(503, JSON.parse(event.data) as Partial<Envelope>);
        if (event.kind === BEAT) continue;
        after = event.id;
        yield JSON.parse(event.data) as T;
      }
    } catch (error) {
      if (signal?.aborted) throw error;
      if (error instanceof MunimentError ? !error.retryable : !(error instanceof TypeError)) throw error;
      if (++silent >= SILENT_MAX) throw error;
      await pause(Math.min(FIRST_WAIT_MS * 2 ** silent, WAIT_MS_MAX), signal);
      continue;
    }
    if (++silent >= SILENT_MAX) throw new MunimentError(503, { user_message: "the service tells nothing" });
    await pause(Math.min(FIRST_WAIT_MS * 2 ** silent, WAIT_MS_MAX), signal);
  }
}

/** The records of an export as they are read; an error where not all of them came. */
export async function* exported<T extends { kind: string }>(answer: Response): AsyncGenerator<T, void, undefined> {
  if (!answer.ok) throw await failed(answer);
  const heard: Record<string, number> = {};
  let counts: Record<string, number> | undefined;
  for await (const line of lines(answer)) {
    if (line.startsWith(ERROR)) throw new MunimentError(503, JSON.parse(line).error);
    if (line.startsWith(MANIFEST)) {
      counts = JSON.parse(line).manifest.counts ?? {};
    } else if (line) {
      const told = JSON.parse(line) as T;
      heard[told.kind] = (heard[told.kind] ?? 0) + 1;
      yield told;
    }
  }
  const wanted = counts && Object.entries(counts);
  const whole = wanted?.every(([kind, count]) => heard[kind] === count);
  if (!whole || wanted?.length !== Object.keys(heard).length) {
    throw new MunimentError(502, { user_message: "the export was cut" });
  }
}

/** What the service says when it does not do what was asked. */
export async function failed(answer: Response): Promise<MunimentError> {
  const told: unknown = await answer.json().catch(() => ({}));
  return new MunimentError(answer.status, told as Partial<Envelope>);
}

const BEAT = "beat";
type Heard = { kind: string; id: string; data: string };

async function* events(answer: Response): AsyncGenerator<Heard, void, undefined> {
  let kind = "";
  let id = "";
  for await (const line of lines(answer)) {
    const [, name, data] = /^([a-z]*): (.*)$/s.exec(line) ?? [];
    if (name === "id") id = data ?? "";
    else if (name === "event") kind = data ?? "";
    else if (name === "data") yield { kind, id, data: data ?? "" };
    else if (data === "still here") yield { kind: BEAT, id, data };
  }
}

/** Lines end with a line feed alone: a text may hold what Unicode calls the end of a line. */
async function* lines(answer: Response): AsyncGenerator<string, void, undefined> {
  const reader = answer.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let begun = "";
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return; // half a line was cut on its way, and is heard again
      const parts = (begun + decoder.decode(value, { stream: true })).split("\n");
      begun = parts.pop() ?? "";
      yield* parts;
    }
  } finally {
    await reader.cancel().catch(() => undefined); // whoever has heard enough hangs up
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), fail(signal.reason)), { once: true });
  });
}
