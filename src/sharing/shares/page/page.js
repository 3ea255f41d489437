"use strict";
// How often the page asks for the job; less often after failures.
const EVERY_MS = 10_000;
const AT_MOST_MS = 60_000;

const HEADLINES = {
  pending: () => "Looking for a mechanic",
  dispatching: () => "Looking for a mechanic",
  accepted: (name) => `${name} accepted the job`,
  en_route: (name) => `${name} is on the way`,
  arrived: (name) => `${name} has arrived`,
  in_progress: (name) => `${name} is working on the vehicle`,
  no_mechanic_found: () => "No mechanic found yet",
};

const at = (id) => document.getElementById(id);

function say(id, text) {
  at(id).textContent = text;
  at(id).hidden = text === "";
}

function ago(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`;
}

function sayWho(message) {
  if (message.is_own) return "You";
  if (message.sender === "guest") return message.sender_name ?? "Someone else";
  return message.sender === "mechanic" ? "Mechanic" : "Customer";
}

function sayWhat(message) {
  if (message.is_removed) return "(removed)";
  if (message.type === "location") return [message.body, `${message.lat}, ${message.lng}`].filter(Boolean).join(" ");
  return message.body ?? "(picture)";
}

// The messages that are on the page, as JSON.
let shown = "[]";

// The newest messages as they are now: another mechanic has another chat, and messages can be removed.
async function readChat() {
  const answer = await fetch(`${location.pathname}/messages?limit=100`, { cache: "no-store" });
  if (!answer.ok) return;
  const chat = await answer.json();
  at("write").hidden = !chat.is_writable;
  at("older").hidden = !chat.has_more;
  const newest = JSON.stringify(chat.data);
  if (newest === shown) return;
  shown = newest;
  const items = chat.data.map((message) => {
    const item = document.createElement("li");
    item.textContent = `${sayWho(message)}: ${sayWhat(message)}`;
    return item;
  });
  const list = at("messages");
  list.replaceChildren(...items);
  list.scrollTop = list.scrollHeight;
}

// A random UUID, also where the page was not loaded by https.
function uuid() {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-a$4-$5");
}

// The same text is sent under the same id until it has arrived.
let unsent = null;

async function write(event) {
  event.preventDefault();
  const text = at("text");
  const body = text.value.trim();
  if (body === "" || text.readOnly) return;
  if (unsent?.body !== body) unsent = { client_message_id: uuid(), type: "text", body };
  say("sending", "Sending…");
  text.readOnly = true;
  try {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${location.pathname}/messages`, { method: "POST", headers, body: JSON.stringify(unsent) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    unsent = null;
    text.value = "";
    say("sending", "");
  } catch {
    say("sending", "Not sent. Try again.");
    return;
  } finally {
    text.readOnly = false;
  }
  // The next look at the job reads the chat if this fails.
  await readChat().catch(() => {});
}

at("write").addEventListener("submit", write);

function show(job) {
  const headline = HEADLINES[job.status];
  say("headline", headline ? headline(job.mechanic_first_name ?? "The mechanic") : "Roadside help");
  const minutes = job.eta ? job.eta.eta_s / 60 : 0;
  say("arrival", job.eta ? (minutes > 1 ? `about ${minutes} minutes` : "about a minute") : "");
  at("code").textContent = job.start_code ?? "";
  at("start").hidden = job.start_code === null;
  const { make, model, color } = job.vehicle;
  at("customer").textContent = job.customer_first_name ?? "–";
  at("vehicle").textContent = [color, make, model].filter(Boolean).join(" ");
  at("category").textContent = job.service_category;
  at("facts").hidden = false;
  at("chat").hidden = !job.may_contact;
  const { position } = job;
  at("position").hidden = position === null;
  if (position !== null) {
    at("seen").textContent = `${position.stale ? "Last seen" : "Seen"} ${ago(position.age_ms)}.`;
    const { lat, lng } = position;
    at("map").href = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=16/${lat}/${lng}`;
  }
}

function end(headline) {
  say("headline", headline);
  say("arrival", "");
  say("connection", "");
  at("facts").hidden = true;
  at("start").hidden = true;
  at("chat").hidden = true;
  at("position").hidden = true;
}

let failures = 0;

// Returns the wait before the next request, or null to stop.
async function look() {
  const answer = await fetch(location.pathname, { headers: { accept: "application/json" }, cache: "no-store" });
  if (answer.status === 410) return end("This link has expired"), null;
  if (answer.status === 404) return end("This link is not valid"), null;
  if (answer.status === 429) return 1000 * (Number(answer.headers.get("retry-after")) || 30);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const job = await answer.json();
  show(job);
  if (job.may_contact) await readChat();
  failures = 0;
  say("connection", "");
  return EVERY_MS;
}

async function follow() {
  let wait;
  try {
    // Does not ask while the page is hidden.
    wait = document.hidden ? EVERY_MS : await look();
  } catch {
    failures += 1;
    say("connection", "No connection. Trying again…");
    wait = Math.min(EVERY_MS * failures, AT_MOST_MS);
  }
  if (wait !== null) setTimeout(follow, wait);
}

follow();
