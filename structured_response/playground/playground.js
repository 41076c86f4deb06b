// The page: what is typed goes to the server, and what comes back is shown, as text or in a frame without scripts.

const element = (id) => document.getElementById(id);
const [model, schema, reply, example, status] = ["model", "schema", "reply", "example", "status"].map(element);
const PASTED = "";  // the value of the model's menu for a pasted schema
const PAUSE = 150;  // milliseconds without a keystroke before the server is asked
let prompts = {};
let examples = [];
let sample = "";
let given = "";  // the reply of an example or a link, whose line ends a text area would change
let streaming = null;  // what ends the stream that is shown

// The server

async function ask(job, question = {}) {
  const headers = { "Content-Type": "application/json", "X-Playground-Token": localStorage.getItem("token") ?? "" };
  let response;
  try {
    response = await fetch(job, { method: "POST", headers, body: JSON.stringify(question) });
  } catch {
    throw new Error("The server does not answer. Is the command still running?");
  }
  if (!response.ok) throw new Error(await response.text());
  const answer = await response.json();
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}

const asked = () => (model.value === PASTED ? { schema: schema.value } : { model: model.value });

const replied = () => (given.replace(/\r\n?/g, "\n") === reply.value ? given : reply.value);

// Runs a function once no call has come for a while, and never twice at a time: the last call counts.
function settled(work) {
  let timer, isBusy = false, isWaiting = false;
  async function run() {
    isWaiting = true;
    if (isBusy) return;
    isBusy = true;
    try {
      while (isWaiting) { isWaiting = false; await work(); }
    } finally {
      isBusy = false;
    }
  }
  return (pause = PAUSE) => { clearTimeout(timer); timer = setTimeout(run, pause); };
}

// What is shown

function tell(text, isError = false) {
  status.textContent = text;
  status.classList.toggle("error", isError);
}

function tellSchema(text) {
  const error = element("schema-error");
  error.textContent = text;
  error.hidden = !text;
  schema.setAttribute("aria-invalid", String(Boolean(text)));
}

function showPrompt() {
  const format = document.querySelector("[name=format]:checked")?.value;
  element("prompt").textContent = prompts[format] ?? "";
}

function showReading(report, data) {
  element("report").srcdoc = report;
  element("data").textContent = data;
}

function showView() {
  const isReport = document.querySelector("[name=view]:checked").value === "report" && !streaming;
  element("report").hidden = !isReport;
  element("growing").hidden = isReport;
  element("received").hidden = !streaming;
}

const counted = (number, noun) => `${number || "no"} ${noun}${number === 1 ? "" : "s"}`;
const found = ({ repairs, problems }) => `${counted(repairs, "repair")} · ${counted(problems, "problem")}`;

const describe = settled(async () => {
  try {
    const answer = await ask("prompts", asked());
    prompts = answer.prompts;
    if (model.value !== PASTED) schema.value = answer.schema;
    tellSchema("");
  } catch (error) {
    prompts = {};
    tellSchema(error.message);
  }
  showPrompt();
  read(0);
});

const read = settled(async () => {
  if (streaming) return;
  try {
    const answer = await ask("read", { ...asked(), reply: replied() });
    if (streaming) return;  // it began meanwhile, and ends with a reading of its own
    showReading(answer.report, answer.data);
    const time = `${(answer.seconds * 1000).toLocaleString("en", { maximumSignificantDigits: 2 })} ms`;
    tell(`Read and explained in ${time} · ${found(answer)}`);
  } catch (error) {
    if (streaming) return;
    showReading("", "");
    tell(element("schema-error").hidden ? error.message : "There is no definition to read the reply with.", true);
  }
});

// The stream

async function stream() {
  if (streaming) { streaming(); return; }
  const received = element("received"), data = element("data");
  const stopped = new Promise((resolve) => { streaming = () => resolve(true); });
  element("stream").textContent = "Stop";
  received.textContent = data.textContent = "";
  tell("Streaming");
  showView();
  try {
    const { pieces } = await ask("stream", { ...asked(), reply: replied() });
    for (const piece of pieces) {
      received.append(piece.text);
      data.textContent = piece.data;
      for (const each of [received, data]) each.scrollTop = each.scrollHeight;
      tell(`Streaming · ${found(piece)}${piece.path ? ` · at ${piece.path}` : ""}`);
      const pause = (1000 * piece.text.length) / Number(element("speed").value);
      const isStopped = await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, pause))]);
      if (isStopped) break;
    }
    tell("");
  } catch (error) {
    tell(error.message, true);
  }
  streaming = null;
  element("stream").textContent = "Stream";
  showView();
  read(0);
}

// Examples

function showExample(index) {
  const chosen = examples[index];
  example.value = String(index);
  element("about").textContent = chosen.about;
  given = reply.value = chosen.reply;
  reply.scrollTop = 0;
  streaming?.();
  if (model.value === PASTED && schema.value === sample) { read(0); return; }
  model.value = PASTED;
  schema.value = sample;
  showDefinition();
}

function forgetExample() {
  example.value = "";
  element("about").textContent = "";
}

function showDefinition() {
  schema.readOnly = model.value !== PASTED;
  describe(0);
}

async function copy() {
  try {
    await navigator.clipboard.writeText(element("prompt").textContent);
    tell("The prompt is copied.");
  } catch {
    tell("The browser does not allow copying here.", true);
  }
}

// Links: all of the state is in the fragment, which no server gets

function encoded(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_");
}

function decoded(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

async function share() {
  const state = { model: model.value, schema: schema.value, reply: replied() };
  history.replaceState(null, "", `#state=${encoded(state)}`);
  try {
    await navigator.clipboard.writeText(location.href);
    tell("The link is copied.");
  } catch {
    tell("The link is in the address bar.");
  }
}

const fragment = (name) => new URLSearchParams(location.hash.slice(1)).get(name);

function open() {
  if (!fragment("state")) return;
  try {
    const state = decoded(fragment("state"));
    const isKnown = Array.from(model.options, (option) => option.value).includes(state.model);
    model.value = isKnown ? state.model : PASTED;
    schema.value = String(state.schema ?? "");
    given = reply.value = String(state.reply ?? "");
  } catch {
    tell("The link is damaged.", true);
    return;
  }
  forgetExample();
  streaming?.();
  showDefinition();
}

function takeToken() {
  const token = fragment("token");
  if (!token) return;
  localStorage.setItem("token", token);  // for links that are opened in other tabs
  history.replaceState(null, "", location.pathname);
}

// The beginning

const option = (value, text) => Object.assign(document.createElement("option"), { value, textContent: text });

function tab(format, isChosen) {
  const input = Object.assign(document.createElement("input"), { type: "radio", name: "format", value: format, checked: isChosen });
  const label = document.createElement("label"), text = document.createElement("span");
  text.textContent = format === "schema" ? "Schema" : format.toUpperCase();
  label.append(input, text);
  return label;
}

function fill({ models, formats, ...answer }) {
  sample = answer.schema;
  model.append(...models.map((name) => option(name, name)));
  element("formats").append(...formats.map((format, index) => tab(format, index === 0)));
  for (const [label, group] of Object.entries(answer.examples)) {
    const options = group.map((each, index) => option(examples.length + index, each.name.replaceAll("_", " ")));
    const shown = Object.assign(document.createElement("optgroup"), { label });
    shown.append(...options);
    example.append(shown);
    examples.push(...group);
  }
  if (models.length > 0) model.value = models[0];
}

function listen() {
  const step = (by) => () => showExample((example.selectedIndex - 1 + by + examples.length) % examples.length);
  model.addEventListener("change", showDefinition);
  schema.addEventListener("input", () => describe());
  reply.addEventListener("input", () => { forgetExample(); streaming?.(); read(); });
  example.addEventListener("change", () => showExample(Number(example.value)));
  element("previous").addEventListener("click", step(-1));
  element("next").addEventListener("click", step(1));
  element("stream").addEventListener("click", stream);
  element("share").addEventListener("click", share);
  element("copy").addEventListener("click", copy);
  element("formats").addEventListener("change", showPrompt);
  element("views").addEventListener("change", showView);
  window.addEventListener("hashchange", open);
}

takeToken();
try {
  fill(await ask("start"));
  listen();
  if (fragment("state")) open();
  else if (model.value === PASTED) showExample(0);
  else showDefinition();
} catch (error) {
  tell(error.message, true);
}
